import Dispatch
import SocketTestSupport
import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Copies and deletions of several objects in the local storage")
struct CopyTests {
    private let live: LiveStore

    init() throws {
        live = try LiveStore()
        let stored = try live.send(
            .init(
                method: "PUT", path: "/local/a%20b",
                headers: [
                    ("content-type", "text/plain"), ("x-amz-checksum-crc32", "y/Q5Jg=="), ("x-amz-meta-a", "1"),
                    ("x-amz-storage-class", "GLACIER_IR"), ("x-amz-tagging", "a=1"),
                ], body: "123456789"))
        try #require(stored.status == 200, "\(stored.text)")
    }

    private func copy(
        _ path: String = "/local/copy", from source: String = "local/a%20b", query: String = "",
        _ headers: [(String, String)] = []
    ) throws -> RawResponse {
        try live.send(
            .init(
                method: "PUT", path: path, query: query, headers: headers + [("x-amz-copy-source", source)], body: ""))
    }

    @Test("A copy has the content, the metadata, the tags and a checksum, but not the storage class")
    func copies() throws {
        let response = try copy()
        #expect(response.status == 200, "\(response.text)")
        #expect(response.element("ETag") == "&quot;25f9e794323b453885f5181f1b624d0b&quot;")
        #expect(response.element("ChecksumCRC32") == "y/Q5Jg==")
        let stored = try live.send(.init(path: "/local/copy", headers: [("x-amz-checksum-mode", "ENABLED")]))
        #expect(stored.body == Array("123456789".utf8) && stored["content-type"] == "text/plain")
        #expect(stored["x-amz-meta-a"] == "1" && stored["x-amz-tagging-count"] == "1")
        #expect(stored["x-amz-checksum-crc32"] == "y/Q5Jg==" && stored["x-amz-storage-class"] == nil)
        #expect(try live.send(.init(path: "/local", query: "list-type=2")).text.components("Key") == ["a b", "copy"])
    }

    @Test("A copy has the tags but not the access control list of its source, and its own encryption")
    func settings() throws {
        let list = [("x-amz-acl", "public-read"), ("x-amz-tagging", "b=2&a=1")]
        let source = try live.send(.init(method: "PUT", path: "/local/public", headers: list, body: "x"))
        #expect(source.status == 200)
        let copied = try copy(from: "local/public", [("x-amz-server-side-encryption", "AES256")])
        #expect(copied["x-amz-server-side-encryption"] == "AES256", "\(copied.text)")
        let tags = try live.send(.init(path: "/local/copy", query: "tagging="))
        #expect(tags.text.components("Key") == ["b", "a"] && tags.text.components("Value") == ["2", "1"])
        for (key, permissions) in [("public", ["FULL_CONTROL", "READ"]), ("copy", ["FULL_CONTROL"])] {
            let acl = try live.send(.init(path: "/local/\(key)", query: "acl="))
            #expect(acl.text.components("Permission") == permissions, "\(acl.text)")
        }
    }

    @Test("Metadata and tags can be replaced")
    func replaces() throws {
        let response = try copy(
            "/local/a%20b", from: "/local/a%20b",
            [
                ("content-type", "image/png"), ("x-amz-metadata-directive", "REPLACE"),
                ("x-amz-tagging-directive", "REPLACE"),
            ])
        #expect(response.status == 200, "\(response.text)")
        let stored = try live.send(.init(path: "/local/a%20b"))
        #expect(stored["content-type"] == "image/png" && stored["x-amz-meta-a"] == nil)
        #expect(stored["x-amz-tagging-count"] == nil && stored.body == Array("123456789".utf8))
    }

    @Test("Concurrent copies and deletions of one object leave it whole or absent")
    func concurrent() throws {
        let contents = ["a", "b"].map { String(repeating: $0, count: 300_000) }
        for (index, content) in contents.enumerated() {
            let stored = try live.send(.init(method: "PUT", path: "/local/source\(index)", body: content))
            try #require(stored.status == 200)
        }
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            do {
                if index % 4 == 3 {
                    #expect(try delete("<Delete><Object><Key>target</Key></Object></Delete>").status == 200)
                } else {
                    #expect(try copy("/local/target", from: "local/source\(index % 2)").status == 200)
                }
                let found = try live.send(.init(path: "/local/target"))
                #expect(found.status == 404 || contents.contains(found.text), "\(found.status)")
            } catch {
                Issue.record(error)
            }
        }
        #expect(try copy("/local/target", from: "local/source1").status == 200)
        #expect(try live.send(.init(path: "/local", query: "list-type=2&prefix=target")).element("Size") == "300000")
        live.drain()
        #expect(try live.directory.files(in: "/incoming").isEmpty)
    }

    static let refusals: [(source: String, headers: [(String, String)], status: Int, code: String)] = [
        ("local/missing", [], 404, "NoSuchKey"), ("missing/a", [], 404, "NoSuchBucket"),
        ("local", [], 400, "InvalidArgument"), ("local/", [], 400, "InvalidArgument"),
        ("local/%zz", [], 400, "InvalidArgument"), ("local/a?versionId=1", [], 501, "NotImplemented"),
        ("local/copy", [], 404, "NoSuchKey"),
        ("local/a%20b", [("x-amz-copy-source-if-match", "\"x\"")], 412, "PreconditionFailed"),
        (
            "local/a%20b", [("x-amz-copy-source-if-none-match", "25f9e794323b453885f5181f1b624d0b")], 412,
            "PreconditionFailed"
        ),
        ("local/a%20b", [("x-amz-metadata-directive", "MERGE")], 400, "InvalidArgument"),
        ("local/a%20b", [("if-match", "*")], 404, "NoSuchKey"),
    ]

    @Test("Copies that S3 refuses are refused and store nothing", arguments: refusals)
    func refused(_ source: String, _ headers: [(String, String)], _ status: Int, _ code: String) throws {
        let response = try copy(from: source, headers)
        #expect(response.status == status && response.code == code, "\(response.text)")
        #expect(try live.send(.init(path: "/local/copy")).status == 404)
        live.drain()
        #expect(try live.directory.files(in: "/incoming").isEmpty)
    }

    @Test("An object cannot be copied to itself without a change")
    func itself() throws {
        #expect(try copy("/local/a%20b").code == "InvalidRequest")
        #expect(try copy("/local/a%20b", [("x-amz-storage-class", "STANDARD_IA")]).status == 200)
    }

    @Test("Parts are copied, also ranges, and complete an upload")
    func parts() throws {
        let begun = try live.send(
            .init(
                method: "POST", path: "/local/whole", query: "uploads=",
                headers: [("x-amz-checksum-algorithm", "CRC32")], body: ""))
        let id = try #require(begun.element("UploadId"), "\(begun.text)")
        let query = "partNumber=1&uploadId=\(id)"
        for range in ["bytes=0-9", "bytes=3-", "bytes=5-2", "3-5"] {
            let refused = try copy("/local/whole", query: query, [("x-amz-copy-source-range", range)])
            #expect(refused.status == 400 && refused.code == "InvalidArgument", "\(range): \(refused.text)")
        }
        let part = try copy("/local/whole", query: query, [("x-amz-copy-source-range", "bytes=2-4")])
        let (tag, checksum) = (try #require(part.element("ETag")), try #require(part.element("ChecksumCRC32")))
        let list =
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>\(tag)</ETag>"
            + "<ChecksumCRC32>\(checksum)</ChecksumCRC32></Part></CompleteMultipartUpload>"
        let forged = LiveStore.Signed(
            method: "POST", path: "/local/whole", query: "uploadId=\(id)", payload: HeaderSigner.hash("x"), body: list)
        #expect(try live.send(forged).code == "XAmzContentSHA256Mismatch")
        let completed = try live.send(
            .init(method: "POST", path: "/local/whole", query: "uploadId=\(id)", body: list))
        #expect(completed.status == 200, "\(completed.text)")
        #expect(try live.send(.init(path: "/local/whole")).body == Array("345".utf8))
    }

    private func delete(_ document: String, _ headers: [(String, String)] = []) throws -> RawResponse {
        try live.send(.init(method: "POST", path: "/local", query: "delete=", headers: headers, body: document))
    }

    @Test("Several objects are deleted in one request")
    func deletes() throws {
        #expect(try copy().status == 200)
        let list = "<Object><Key>a b</Key></Object><Object><Key>missing</Key></Object>"
        let response = try delete("<Delete>\(list)</Delete>")
        #expect(response.status == 200 && response.text.components("Key") == ["a b", "missing"], "\(response.text)")
        #expect(try live.send(.init(path: "/local/a%20b")).status == 404)
        #expect(try live.send(.init(path: "/local", query: "list-type=2")).text.components("Key") == ["copy"])
        let quiet = try delete("<Delete><Object><Key>copy</Key></Object><Quiet>true</Quiet></Delete>")
        #expect(quiet.status == 200 && quiet.text.components("Key").isEmpty)
        #expect(try live.send(.init(path: "/local/copy")).status == 404)
    }

    @Test("An object with an ETag is only deleted if it has this tag")
    func conditionalDeletes() throws {
        let other = try delete("<Delete><Object><Key>a b</Key><ETag>\"x\"</ETag></Object></Delete>")
        #expect(other.status == 200 && other.code == "PreconditionFailed", "\(other.text)")
        #expect(try live.send(.init(path: "/local/a%20b")).status == 200)
        let tag = "25f9e794323b453885f5181f1b624d0b"
        let same = try delete("<Delete><Object><Key>a b</Key><ETag>&quot;\(tag)&quot;</ETag></Object></Delete>")
        #expect(same.text.components("Key") == ["a b"] && same.code == nil, "\(same.text)")
        #expect(try live.send(.init(path: "/local/a%20b")).status == 404)
    }

    static let documents: [(String, Int, String)] = [
        ("", 400, "MalformedXML"), ("<Delete></Delete>", 400, "MalformedXML"),
        ("<Delete><Object></Object></Delete>", 400, "MalformedXML"),
        ("<Delete><Object><Key>a b</Key><VersionId>1</VersionId></Object></Delete>", 501, "NotImplemented"),
        (
            "<Delete>\(String(repeating: "<Object><Key>a b</Key></Object>", count: 1001))</Delete>", 400,
            "MalformedXML"
        ),
    ]

    @Test("An invalid list deletes nothing", arguments: documents)
    func invalidList(_ document: String, _ status: Int, _ code: String) throws {
        let response = try delete(document)
        #expect(response.status == status && response.code == code, "\(response.text)")
        let wrong = try delete(
            "<Delete><Object><Key>a b</Key></Object></Delete>", [("x-amz-checksum-crc32", "AAAAAA==")])
        #expect(wrong.code == "BadDigest")
        #expect(try live.send(.init(path: "/local/a%20b")).status == 200)
    }
}
