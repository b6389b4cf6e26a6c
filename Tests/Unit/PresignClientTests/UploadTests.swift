import Foundation
import Testing

@testable import PresignClient

@Suite("Uploads")
struct UploadTests {
    /// The problem of a request without the checksum that a rule requires.
    private static let missingChecksum = (
        422, ##""code": "constraint", "errors": [{"pointer": "#/checksumSHA256", "detail": "is missing"}]"##
    )

    @Test("a small file is sent in one PUT, with its type and metadata, without asking for permissions")
    func small() async throws {
        try await withWorld { world, folder in
            let file = try folder.file("a.txt", size: 9)
            let options = StorageUploadOptions(metadata: ["a": "b"], contentType: "text/plain", expires: 60)
            let task = try world.client(in: folder.appending(path: "state"))
                .uploadFile(path: .fromString("t/a.txt"), local: file, options: options)
            #expect(try await task.value == "t/a.txt")
            let signed = try #require(world.state.with { $0.signed.first })
            #expect(signed.contentType == "text/plain" && signed.metadata == ["a": "b"] && signed.contentLength == 9)
            #expect(signed.expiresIn == 60 && signed.checksumSHA256 == nil)
            #expect(world.objects["t/a.txt"] == content(9))
            #expect(world.state.with { $0.asked }.isEmpty)
            #expect(folder.appending(path: "state").names.isEmpty)
        }
    }

    @Test("60 MB are 12 parts of 5 MiB or less over at most six connections, each signed for its length")
    func parts() async throws {
        try await withWorld { world, folder in
            world.hooks.with { $0.actions = #"{"get": {}, "write": {}, "multipart": {}}"# }
            let file = try folder.file("a", size: 60_000_000)
            let state = folder.appending(path: "state")
            _ = try await world.client(in: state).uploadFile(path: .fromString("a"), local: file).value
            let parts = world.sent("PUT")
            #expect(parts.map(\.size).sorted() == [2_328_320] + Array(repeating: 5 << 20, count: 11))
            #expect(world.state.with { $0.most } <= 6)
            #expect(world.objects["a"] == content(60_000_000))
            let completed = try #require(world.state.with { $0.signed.last })
            #expect(completed.method == "POST" && completed.contentLength == 60_000_000)
            #expect(state.names.isEmpty)
        }
    }

    @Test("data in memory is sent the same way, and leaves no record")
    func data() async throws {
        try await withWorld { world, folder in
            let bytes = content(800_000)
            let task = try world.client(in: folder).uploadData(path: .fromIdentityID { "u/\($0)" }, data: bytes)
            #expect(try await task.value == "u/me")
            #expect(world.objects["u/me"] == bytes)
            #expect(world.sent("PUT").count == 3)
            #expect(folder.names.isEmpty)
        }
    }

    @Test("an empty file is one empty object")
    func empty() async throws {
        try await withWorld { world, folder in
            _ = try await world.client(in: folder).uploadData(path: .fromString("a"), data: Data()).value
            #expect(world.objects["a"] == Data())
        }
    }

    @Test("the rule's part size and checksum hold, and an upload that learns of the checksum late starts again")
    func rule() async throws {
        try await withWorld { world, folder in
            world.hooks.with { hooks in
                hooks.actions = #"{"write": {"maxSize": 1000}, "multipart": {"partSize": 300000}}"#
                hooks.refusal = { $0.partNumber != nil && $0.checksumSHA256 == nil ? Self.missingChecksum : nil }
            }
            let file = try folder.file("a", size: 700_000)
            let state = folder.appending(path: "state")
            _ = try await world.client(in: state).uploadFile(path: .fromString("a"), local: file).value
            #expect(world.sent("PUT").map(\.size).sorted() == [100_000, 300_000, 300_000])
            let first = content(700_000).prefix(300_000)
            let part = try #require(world.sent("PUT").first { $0.query["partNumber"] == "1" })
            #expect(part.headers["x-amz-checksum-sha256"] == SHA256Digest.base64(of: first))
            #expect(world.state.with { $0.signed }.contains { $0.checksumAlgorithm == "SHA256" })
            #expect(world.sent("DELETE").count == 1, "the upload without checksums is aborted")
            #expect(world.state.with { $0.uploads }.isEmpty)
        }
    }

    @Test("a rule that requires a checksum of a small file gets one")
    func smallChecksum() async throws {
        try await withWorld { world, folder in
            world.hooks.with { $0.refusal = { $0.checksumSHA256 == nil ? Self.missingChecksum : nil } }
            _ = try await world.client(in: folder).uploadData(path: .fromString("a"), data: Data("abc".utf8)).value
            let sent = try #require(world.sent("PUT").first)
            #expect(sent.headers["x-amz-checksum-sha256"] == SHA256Digest.base64(of: Data("abc".utf8)))
        }
    }

    @Test("an upload that must not replace an object fails before its bytes are sent, and sends ifNoneMatch")
    func preventOverwrite() async throws {
        try await withWorld { world, folder in
            let client = try world.client(in: folder)
            let options = StorageUploadOptions(preventOverwrite: true)
            let bytes = content(800_000)
            _ = try await client.uploadData(path: .fromString("a"), data: bytes, options: options).value
            #expect(world.state.with { $0.signed.last?.ifNoneMatch } == "*")
            let before = world.sent("PUT").count
            #expect(
                await code { try await client.uploadData(path: .fromString("a"), data: bytes, options: options).value }
                    == .preconditionFailed)
            #expect(world.sent("PUT").count == before)
            #expect(
                await code {
                    _ = try await client.uploadData(path: .fromString("a"), data: Data("x".utf8), options: options)
                        .value
                } == .preconditionFailed)
            #expect(world.objects["a"] == bytes)
        }
    }

    @Test("a lost response to an upload that must not replace an object is settled by reading the object")
    func lostResponse() async throws {
        try await withWorld { world, folder in
            let isFirst = Locked(true)
            world.hooks.with { hooks in
                hooks.afterStorage = { sent in
                    let isLost =
                        sent.method == "PUT"
                        && isFirst.with { isFirst in
                            defer { isFirst = false }
                            return isFirst
                        }
                    if isLost { throw URLError(.networkConnectionLost) }
                    return nil
                }
            }
            let task = try world.client(in: folder).uploadData(
                path: .fromString("a"), data: content(99), options: .init(preventOverwrite: true))
            #expect(try await task.value == "a")
            #expect(world.sent("PUT").count == 1)
            #expect(world.sent("GET").count == 1)
        }
    }

    @Test("the next part starts when the bytes of the last are sent, and at most one waits for its response")
    func overlap() async throws {
        try await withWorld { world, folder in
            let isHeld = Locked(true)
            world.hooks.with { hooks in
                hooks.afterStorage = { sent in
                    while sent.isPart, isHeld.with({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
                    return nil
                }
            }
            let task = try world.client(in: folder, concurrency: 1)
                .uploadData(path: .fromString("a"), data: content(1_400_000))
            try await until { world.sent("PUT").count == 2 }
            #expect(world.state.with { $0.signed.filter { $0.partNumber != nil }.count } == 2)
            isHeld.with { $0 = false }
            _ = try await task.value
            #expect(world.sent("PUT").count == 5)
        }
    }
}
