import Foundation
import Testing

@testable import PresignClient

@Suite("Downloads")
struct DownloadTests {
    /// Breaks the connection of the first responses, after some bytes or in the middle of the object.
    private func cut(
        _ world: World, _ times: Int, after bytes: Int? = nil, _ headers: @escaping @Sendable (Int) -> [String: String]
    ) {
        let attempts = Locked(0)
        world.hooks.with { hooks in
            hooks.afterStorage = { [state = world.state] sent in
                guard sent.method == "GET", let object = state.with({ $0.objects[sent.path] }) else { return nil }
                let attempt = attempts.next()
                guard attempt <= times else { return nil }
                let all = headers(attempt).merging(["x-cut": "1", "content-length": "\(object.count)"]) { $1 }
                return HTTPResponse(
                    head: HTTPHead(status: 200, headers: all), body: object.prefix(bytes ?? object.count / 2))
            }
        }
    }

    @Test("an interrupted download requests the rest of the same object")
    func continues() async throws {
        try await withWorld { world, folder in
            world.state.with { $0.objects["a"] = content(1000) }
            cut(world, 1) { _ in ["etag": "\"one\""] }
            let data = try await world.client(in: folder).downloadData(path: .fromString("a")).value
            #expect(data == content(1000))
            #expect(world.sent.map { $0.headers["range"] } == [nil, "bytes=500-"])
            #expect(world.sent.last?.headers["if-range"] == "\"one\"")
            #expect(world.sent.allSatisfy { $0.headers["accept-encoding"] == "identity" })
            #expect(world.state.with { $0.signed.count } == 2 && folder.names.isEmpty)
        }
    }

    @Test("a download continues after a first piece of any length", arguments: [1, 63, 64])
    func shortPiece(bytes: Int) async throws {
        try await withWorld { world, folder in
            world.state.with { $0.objects["a"] = content(1000) }
            cut(world, 1, after: bytes) { _ in ["etag": "\"one\""] }
            let file = folder.appending(path: "copy")
            try await world.client(in: folder.appending(path: "state"))
                .downloadFile(path: .fromString("a"), local: file).value
            #expect(try Data(contentsOf: file) == content(1000))
            #expect(world.sent.map { $0.headers["range"] } == [nil, "bytes=\(bytes)-"])
        }
    }

    @Test(
        "an object that has changed, a weak ETag, and encoded content start anew",
        arguments: [
            ["etag": "\"other\""], ["etag": "W/\"one\""], ["etag": "\"one\"", "content-encoding": "gzip"], [:],
        ])
    func startsAnew(headers: [String: String]) async throws {
        try await withWorld { world, folder in
            world.state.with { $0.objects["a"] = content(1000) }
            cut(world, 1) { _ in headers }
            let file = folder.appending(path: "copy")
            try await world.client(in: folder.appending(path: "state"))
                .downloadFile(path: .fromString("a"), local: file).value
            #expect(try Data(contentsOf: file) == content(1000))
        }
    }

    @Test("a file is replaced when the download is complete, and kept when it fails")
    func replaces() async throws {
        try await withWorld { world, folder in
            let file = try folder.file("copy", size: 5)
            let client = try world.client(in: folder.appending(path: "state"))
            #expect(
                await code { try await client.downloadFile(path: .fromString("a"), local: file).value } == .noSuchKey)
            #expect(try Data(contentsOf: file) == content(5))
            world.state.with { $0.objects["a"] = content(7) }
            try await client.downloadFile(path: .fromString("a"), local: file).value
            #expect(try Data(contentsOf: file) == content(7))
            #expect(folder.appending(path: "state").names.isEmpty)
        }
    }

    @Test("bytes without the object's checksum are requested again twice, and never become the file")
    func checksum() async throws {
        try await withWorld { world, folder in
            world.state.with { $0.objects["a"] = content(1000) }
            let wrong = Locked(2)
            world.hooks.with { hooks in
                hooks.afterStorage = { sent in
                    guard sent.method == "GET" else { return nil }
                    let isWrong = wrong.with { count in
                        count -= 1
                        return count >= 0
                    }
                    let headers = [
                        "content-length": "1000", "x-amz-checksum-sha256": SHA256Digest.base64(of: content(1000)),
                    ]
                    let body = isWrong ? Data(repeating: 7, count: 1000) : content(1000)
                    return HTTPResponse(head: HTTPHead(status: 200, headers: headers), body: body)
                }
            }
            let client = try world.client(in: folder)
            #expect(try await client.downloadData(path: .fromString("a")).value == content(1000))
            #expect(world.state.with { $0.signed.allSatisfy { $0.checksumMode == "ENABLED" } })
            wrong.with { $0 = 3 }
            #expect(await code { try await client.downloadData(path: .fromString("a")).value } == .checksumMismatch)
            #expect(world.sent.count == 6 && folder.names.isEmpty)
        }
    }

    @Test("a response that ends early is not the object")
    func short() async throws {
        try await withWorld { world, folder in
            world.hooks.with { hooks in
                hooks.afterStorage = { _ in
                    HTTPResponse(
                        head: HTTPHead(status: 200, headers: ["content-length": "9"]), body: Data("short".utf8))
                }
            }
            let client = try world.client(in: folder, retries: 1)
            #expect(await code { try await client.downloadData(path: .fromString("a")).value } == .networkError)
            #expect(world.sent.count == 2)
        }
    }

    @Test("a pause keeps the bytes, and an empty object is an empty file")
    func pause() async throws {
        try await withWorld { world, folder in
            world.state.with { $0.objects["empty"] = Data() }
            let client = try world.client(in: folder)
            #expect(try await client.downloadData(path: .fromString("empty")).value == Data())
            world.state.with { $0.objects["a"] = content(1000) }
            cut(world, 1) { _ in ["etag": "\"one\""] }
            let isHeld = Locked(false)
            world.hooks.with { hooks in
                hooks.beforeStorage = { sent in
                    guard sent.headers["range"] != nil, !isHeld.with({ $0 }) else { return nil }
                    isHeld.with { $0 = true }
                    try await Task.sleep(for: .seconds(60))
                    return nil
                }
            }
            let task = client.downloadData(path: .fromString("a"))
            try await until { isHeld.with { $0 } }
            task.pause()
            try await until { task.status == .paused }
            task.resume()
            #expect(try await task.value == content(1000))
            #expect(task.status == .ended)
            #expect(world.sent.suffix(2).map { $0.headers["range"] } == ["bytes=500-", "bytes=500-"])
        }
    }

    /// The status, ETag and first byte of a response to a request for the bytes from 5, and what to do with it.
    static let steps: [(status: Int, etag: String?, range: String?, step: ReceivedRange.Step)] = [
        (206, "\"e\"", "bytes 5-9/10", .append), (206, "\"f\"", "bytes 5-9/10", .refuse),
        (206, "\"e\"", "bytes 6-9/10", .refuse), (206, nil, "bytes 5-9/10", .refuse), (206, "\"e\"", nil, .refuse),
        (200, "\"e\"", nil, .replace), (200, "\"f\"", nil, .replace),
    ]

    @Test("a rest is appended only if it is one of the same object", arguments: steps)
    func step(status: Int, etag: String?, range: String?, step: ReceivedRange.Step) {
        var received = ReceivedRange(loaded: 5, object: DownloadedObject(etag: "\"e\"", total: 10, checksum: nil))
        #expect(received.headers == ["Range": "bytes=5-", "If-Range": "\"e\""])
        let headers = ["etag": etag, "content-range": range].compactMapValues { $0 }
        #expect(received.begin(HTTPHead(status: status, headers: headers)) == step)
        #expect(received.loaded == (step == .append ? 5 : 0))
    }

    @Test("a checksum of checksums, as of parts, is not compared")
    func compositeChecksum() {
        let object = { (headers: [String: String]) in DownloadedObject(HTTPHead(status: 200, headers: headers)) }
        #expect(object(["x-amz-checksum-sha256": "abc="]).checksum == "abc=")
        #expect(object(["x-amz-checksum-sha256": "abc=-3"]).checksum == nil)
        #expect(object(["x-amz-checksum-sha256": "a", "x-amz-checksum-type": "COMPOSITE"]).checksum == nil)
    }
}
