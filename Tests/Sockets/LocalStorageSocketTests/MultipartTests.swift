import Dispatch
import SocketTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("Multipart uploads to the local storage")
struct MultipartTests: Sendable {
    private let live: LiveStore
    private static let first = (0..<S3Limits.partSizes.lowerBound).map { UInt8(truncatingIfNeeded: $0 >> 4) }
    private static let last = Array("the end".utf8)

    init() throws {
        live = try LiveStore()
    }

    private func create(_ signed: [(name: String, value: String)] = []) throws -> String {
        let response = try live.exchange(.createMultipartUpload, "key", signed: signed, body: [])
        #expect(response.status == 200, "\(response.text)")
        #expect(response.element("Key") == "key")
        return try #require(response.element("UploadId"))
    }

    private func upload(
        _ content: [UInt8], _ number: Int, _ id: String, _ signed: [(name: String, value: String)] = []
    ) throws -> RawResponse {
        try live.exchange(.uploadPart(partNumber: number, uploadId: id), "key", signed: signed, body: content)
    }

    private func complete(
        _ parts: [(Int, String)], _ id: String, _ signed: [(name: String, value: String)] = [], sha256: String? = nil
    ) throws -> RawResponse {
        let checksum = sha256.map { "<ChecksumSHA256>\($0)</ChecksumSHA256>" } ?? ""
        let list = parts.map { "<Part><PartNumber>\($0.0)</PartNumber><ETag>\($0.1)</ETag>\(checksum)</Part>" }.joined()
        let document = "<CompleteMultipartUpload>\(list)</CompleteMultipartUpload>"
        return try live.exchange(
            .completeMultipartUpload(uploadId: id), "key", signed: signed, body: Array(document.utf8))
    }

    @Test("Parts become one object with the headers of its creation and a multipart ETag")
    func whole() throws {
        let id = try create([("content-type", "video/mp4"), ("x-amz-meta-a", "b")])
        let tags = [
            (1, try #require(try upload(Self.first, 1, id)["etag"])),
            (7, try #require(try upload(Self.last, 7, id)["etag"])),
        ]
        #expect(try live.exchange(.getObject, "key").status == 404)
        let done = try complete(tags, id)
        #expect(done.status == 200, "\(done.text)")
        let digests = [Self.first, Self.last].flatMap { InsecureHash.hash($0, .md5) }
        let expected = Hexadecimal.encode(InsecureHash.hash(digests, .md5)) + "-2"
        #expect(done.element("ETag") == "&quot;\(expected)&quot;")
        let get = try live.exchange(.getObject, "key")
        #expect(get.body == Self.first + Self.last)
        #expect(get["etag"] == "\"\(expected)\"")
        #expect(get["content-type"] == "video/mp4")
        #expect(get["x-amz-meta-a"] == "b")
        live.drain()
        #expect(try live.directory.files(in: "/uploads").isEmpty)
        #expect(try live.directory.files(in: "/incoming").isEmpty)
    }

    @Test("The parts of an object can be read by number, whatever their numbers were in the upload")
    func partNumbers() throws {
        let id = try create()
        let (first, last) = (try upload(Self.first, 1, id)["etag"] ?? "", try upload(Self.last, 7, id)["etag"] ?? "")
        #expect(try complete([(1, first), (7, last)], id).status == 200)
        let size = Self.first.count + Self.last.count
        for (number, content, range) in [
            ("1", Self.first, "bytes 0-\(Self.first.count - 1)/\(size)"),
            ("2", Self.last, "bytes \(Self.first.count)-\(size - 1)/\(size)"),
        ] {
            let query = [(name: "partNumber", value: number)]
            let get = try live.exchange(.getObject, "key", query: query)
            #expect(get.status == 206 && get.body == content && get["content-range"] == range)
            let head = try live.exchange(.headObject, "key", query: query)
            #expect(head.status == 206 && head["content-length"] == "\(content.count)")
            for response in [get, head] { #expect(response["x-amz-mp-parts-count"] == "2") }
        }
        let beyond = try live.exchange(.getObject, "key", query: [("partNumber", "3")])
        #expect(beyond.status == 416 && beyond.code == "InvalidPartNumber", "\(beyond.text)")
        #expect(beyond.element("ActualPartCount") == "2")
        #expect(try live.exchange(.headObject, "key")["x-amz-mp-parts-count"] == nil)
        let copied = try live.exchange(.putObject, "copy", signed: [("x-amz-copy-source", "/local/key")], body: [])
        #expect(copied.status == 200, "\(copied.text)")
        let whole = try live.exchange(.headObject, "copy", query: [("partNumber", "1")])
        #expect(whole["content-length"] == "\(size)" && whole["x-amz-mp-parts-count"] == nil)
    }

    @Test("The same completion succeeds again for 24 hours, until the object is replaced")
    func repeated() throws {
        let id = try create()
        let (one, two) = (try upload([1], 1, id)["etag"] ?? "", try upload([2], 2, id)["etag"] ?? "")
        let done = try complete([(2, two)], id)
        for conditions in [[], [(name: "if-none-match", value: "*")], [(name: "x-amz-mp-object-size", value: "1")]] {
            let again = try complete([(2, two)], id, conditions)
            #expect(again.status == 200 && again.element("ETag") == done.element("ETag"), "\(again.text)")
        }
        #expect(try complete([(2, two)], id, [("x-amz-mp-object-size", "2")]).code == "InvalidRequest")
        for other in [[(1, one)], [(1, two)], [(2, one)], [(1, one), (2, two)]] {
            #expect(try complete(other, id).code == "NoSuchUpload", "\(other)")
        }
        let unknown = String(repeating: "0", count: 32)
        #expect(try complete([(2, two)], unknown).code == "NoSuchUpload")
        #expect(try complete([(2, two)], "x").code == "NoSuchUpload")
        #expect(try live.exchange(.listParts(uploadId: id), "key").code == "NoSuchUpload")
        live.advanceClock(by: 24 * 3600)
        #expect(try complete([(2, two)], id).status == 200)
        live.advanceClock(by: 1)
        #expect(try complete([(2, two)], id).code == "NoSuchUpload")
    }

    @Test("A replaced or deleted object does not complete its upload again", arguments: [true, false])
    func replaced(isDeleted: Bool) throws {
        let id = try create()
        let tag = try upload([1], 1, id)["etag"] ?? ""
        #expect(try complete([(1, tag)], id).status == 200)
        let changed = try live.exchange(isDeleted ? .deleteObject : .putObject, "key", body: isDeleted ? nil : [1])
        #expect(changed.status < 300)
        #expect(try complete([(1, tag)], id).code == "NoSuchUpload")
    }

    @Test("The steps of an upload repeat its encryption, and the parts have times with milliseconds")
    func encryption() throws {
        let encryption = [
            (name: "x-amz-server-side-encryption", value: "aws:kms"),
            (name: "x-amz-server-side-encryption-aws-kms-key-id", value: "k"),
        ]
        let created = try live.exchange(.createMultipartUpload, "key", signed: encryption, body: [])
        let id = try #require(created.element("UploadId"))
        let part = try upload([1], 1, id)
        _ = try live.exchange(.putObject, "source", body: [2])
        let copied = try live.exchange(
            .uploadPart(partNumber: 2, uploadId: id), "key", signed: [("x-amz-copy-source", "/local/source")], body: [])
        #expect(copied.status == 200, "\(copied.text)")
        let list = try live.exchange(.listParts(uploadId: id), "key")
        #expect(list.text.components("LastModified") == ["2023-11-14T22:13:20.000Z", "2023-11-14T22:13:20.000Z"])
        #expect(list.text.components("ID") == ["presign-local", "presign-local"])
        let done = try complete([(1, part["etag"] ?? "")], id)
        let again = try complete([(1, part["etag"] ?? "")], id)
        let head = try live.exchange(.headObject, "key")
        for response in [created, part, copied, done, again, head] {
            for (name, value) in encryption { #expect(response[name] == value, "\(response)") }
        }
        #expect(try live.exchange(.putObject, "key", body: [1])["x-amz-server-side-encryption"] == nil)
        for (name, value) in encryption {
            #expect(try live.exchange(.putObject, "key", signed: encryption, body: [1])[name] == value)
        }
    }

    @Test("Parts are listed in pages; a part sent again replaces the first")
    func listing() throws {
        let id = try create()
        for number in [3, 1, 2] { _ = try upload([UInt8(number)], number, id) }
        _ = try upload([9, 9], 2, id)
        let all = try live.exchange(.listParts(uploadId: id), "key")
        #expect(all.element("IsTruncated") == "false")
        #expect(all.text.components("PartNumber") == ["1", "2", "3"])
        #expect(all.text.components("Size") == ["1", "2", "1"])
        let page = try live.exchange(.listParts(uploadId: id), "key", query: [("max-parts", "2")])
        #expect(page.element("IsTruncated") == "true")
        #expect(page.element("NextPartNumberMarker") == "2")
        let rest = try live.exchange(
            .listParts(uploadId: id), "key", query: [("max-parts", "2"), ("part-number-marker", "2")])
        #expect(rest.text.components("PartNumber") == ["3"])
        let none = try live.exchange(.listParts(uploadId: id), "key", query: [("max-parts", "0")])
        #expect(none.element("IsTruncated") == "false")
        let past = try live.exchange(.listParts(uploadId: id), "key", query: [("part-number-marker", "9")])
        #expect(past.element("NextPartNumberMarker") == "9" && past.element("IsTruncated") == "false")
        let bad = try live.exchange(.listParts(uploadId: id), "key", query: [("max-parts", "x")])
        #expect(bad.code == "InvalidArgument")
        #expect(try live.exchange(.listParts(uploadId: id), "other").code == "NoSuchUpload")
    }

    @Test("A list that does not match the parts is rejected, and the upload stays open")
    func mistakes() throws {
        let id = try create()
        let one = try #require(try upload([1], 1, id)["etag"])
        let two = try #require(try upload([2], 2, id)["etag"])
        for (parts, code) in [
            ([(2, two), (1, one)], "InvalidPartOrder"), ([(1, "\"x\"")], "InvalidPart"), ([(3, one)], "InvalidPart"),
            ([(1, one), (2, two)], "EntityTooSmall"), ([], "MalformedXML"),
        ] {
            let response = try complete(parts, id)
            #expect(response.status == 400)
            #expect(response.code == code, "\(response.text)")
        }
        let large = [UInt8](repeating: 0x20, count: S3Limits.document + 1)
        let tooLarge = try live.exchange(.completeMultipartUpload(uploadId: id), "key", body: large)
        #expect(tooLarge.code == "MaxMessageLengthExceeded")
        #expect(try complete([(2, two)], id).status == 200)
        #expect(try live.exchange(.getObject, "key").body == [2])
    }

    @Test("Other files among the parts are not listed")
    func strays() throws {
        let id = try create()
        _ = try upload([1], 7, id)
        let names = [
            "part-1234567", "part-00000", "part-10001", "part-7", "part-0000007", "part-000000000000000001", "part-x",
            "part-+0001", "xxxx-00009",
        ]
        for name in names { try live.directory.write([1], to: "uploads/\(id)/\(name)") }
        let list = try live.exchange(.listParts(uploadId: id), "key")
        #expect(list.text.components("PartNumber") == ["7"])
        #expect(Upload.partName(1_234_567) == "part-1234567")
    }

    @Test("Completing an upload succeeds even if its files cannot be removed")
    func failedCleanup() throws {
        for ends in [true, false] {
            let id = try create()
            let tag = try #require(try upload([1], 1, id)["etag"])
            // Nested deeper than the cleanup removes.
            try live.directory.write([1], to: "uploads/\(id)/" + String(repeating: "deep/", count: 12) + "file")
            let response =
                try ends ? complete([(1, tag)], id) : live.exchange(.abortMultipartUpload(uploadId: id), "key")
            #expect(response.status == (ends ? 200 : 204), "\(response.text)")
            #expect(try complete([(1, tag)], id).code == (ends ? nil : "NoSuchUpload"))
            let line = try #require(live.reported.last)
            #expect(live.reported.count == (ends ? 1 : 2))
            let request = "\(response["x-amz-request-id"] ?? "") \(ends ? "POST" : "DELETE") /local/key"
            #expect(line.hasPrefix("\(request) succeeded, but its cleanup failed: InternalError: "), "\(line)")
        }
        #expect(try live.exchange(.getObject, "key").body == [1])
    }

    @Test("Aborting an upload removes its parts")
    func abort() throws {
        let id = try create()
        let tag = try #require(try upload([1], 1, id)["etag"])
        #expect(try live.exchange(.abortMultipartUpload(uploadId: id), "other").code == "NoSuchUpload")
        #expect(try live.exchange(.abortMultipartUpload(uploadId: id), "key").status == 204)
        #expect(try live.exchange(.abortMultipartUpload(uploadId: id), "key").code == "NoSuchUpload")
        #expect(try upload([1], 1, id).code == "NoSuchUpload")
        #expect(try complete([(1, tag)], id).code == "NoSuchUpload")
        #expect(try live.directory.files(in: "/uploads").isEmpty)
    }

    @Test("If-None-Match: * is checked when an upload completes")
    func conditional() throws {
        let id = try create()
        let tag = try #require(try upload([1], 1, id)["etag"])
        #expect(try live.exchange(.putObject, "key", body: [5]).status == 200)
        let refused = try complete([(1, tag)], id, [("if-none-match", "*")])
        #expect(refused.status == 412)
        #expect(try live.exchange(.getObject, "key").body == [5])
        #expect(try live.exchange(.deleteObject, "key").status == 204)
        #expect(try complete([(1, tag)], id, [("if-none-match", "*")]).status == 200)
    }

    @Test("Checksums of the parts form the object's composite checksum")
    func checksums() throws {
        let id = try create([("x-amz-checksum-algorithm", "SHA256")])
        #expect(try upload([1], 1, id).code == "InvalidRequest")
        let digest = SHA256.hash([1]).bytes
        let part = try upload([1], 1, id, [("x-amz-checksum-sha256", Base64.encode(digest))])
        #expect(part.status == 200)
        let tag = try #require(part["etag"])
        #expect(try complete([(1, tag)], id).code == "InvalidRequest")
        let done = try complete([(1, tag)], id, sha256: Base64.encode(digest))
        let composite = Base64.encode(SHA256.hash(digest).bytes) + "-1"
        #expect(done.element("ChecksumSHA256") == composite)
        let head = try live.exchange(.headObject, "key", signed: [("x-amz-checksum-mode", "ENABLED")])
        #expect(head["x-amz-checksum-sha256"] == composite)
        #expect(head["x-amz-checksum-type"] == "COMPOSITE")
        let whole = [(name: "x-amz-checksum-algorithm", value: "CRC64NVME")]
        #expect(try live.exchange(.createMultipartUpload, "key", signed: whole, body: []).status == 501)
    }

    @Test("Of concurrent completions of one upload, at least one succeeds, and the others in its time or after it")
    func racing() throws {
        let id = try create()
        let tag = try #require(try upload(Self.first, 1, id)["etag"])
        let codes = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let outcome: String
            do {
                let response = try complete([(1, tag)], id)
                outcome = response.status == 200 ? "done" : response.code ?? "\(response.status)"
            } catch { outcome = "\(error)" }
            codes.withLock { $0.append(outcome) }
        }
        let outcomes = codes.withLock { $0 }
        #expect(outcomes.contains("done"), "\(outcomes)")
        #expect(outcomes.allSatisfy { ["done", "OperationAborted"].contains($0) }, "\(outcomes)")
        #expect(try live.exchange(.getObject, "key").body == Self.first)
    }
}
