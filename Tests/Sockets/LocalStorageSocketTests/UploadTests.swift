import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Uploads to the local storage")
struct UploadTests {
    private let live: LiveStore
    private static let content = Array("123456789".utf8)

    init() throws {
        live = try LiveStore()
    }

    /// Headers that match the content 123456789, or do not; the values are published check values.
    static let headers: [(name: String, value: String, code: String?)] = [
        ("content-md5", "JfnnlDI7RTiF9RgfG2JNCw==", nil), ("content-md5", "JfnnlDI7RTiF9RgfG2JNCx==", "InvalidDigest"),
        ("content-md5", "1B2M2Y8AsgTpgAmY7PhCfg==", "BadDigest"), ("content-md5", "AAAA", "InvalidDigest"),
        ("x-amz-checksum-crc32", "y/Q5Jg==", nil), ("x-amz-checksum-crc32", "AAAAAA==", "BadDigest"),
        ("x-amz-checksum-crc32", "AAA=", "InvalidRequest"), ("x-amz-checksum-crc32c", "4waSgw==", nil),
        ("x-amz-checksum-crc64nvme", "rosUhgp5mIg=", nil),
        ("x-amz-checksum-sha1", "98O8HYCOBHMqvxYDPBCgZpLyGVw=", "BadDigest"),
        ("x-amz-checksum-sha256", "FeKw09zMkgvtqSlmzwsmDkg4b0SyuoQDXKdNsPvXlLI=", "BadDigest"),
        ("content-encoding", "aws-chunked", nil), ("x-amz-decoded-content-length", "9", nil),
        ("x-amz-decoded-content-length", "8", "InvalidRequest"), ("content-encoding", "gzip", nil),
        ("x-amz-sdk-checksum-algorithm", "CRC32", "InvalidRequest"),
        ("x-amz-meta-a", String(repeating: "m", count: 2047), nil),
        ("x-amz-meta-a", String(repeating: "m", count: 2048), "MetadataTooLarge"),
        ("if-none-match", "\"abc\"", "NotImplemented"), ("if-match", "*", "NoSuchKey"),
        ("x-amz-acl", "private", nil), ("x-amz-acl", "bucket-owner-full-control", nil),
        ("x-amz-acl", "public-read", nil), ("x-amz-acl", "public-read-write", "AccessControlListNotSupported"),
        ("x-amz-acl", "authenticated-read", "AccessControlListNotSupported"),
        ("x-amz-acl", "Private", "AccessControlListNotSupported"),
        ("x-amz-tagging", "a=b&c", nil), ("x-amz-tagging", "a=b&a=c", "InvalidArgument"),
    ]

    @Test("Content must match the digests and checksums of its headers", arguments: headers)
    func promises(_ name: String, _ value: String, _ code: String?) throws {
        let response = try live.exchange(.putObject, "key", signed: [(name, value)], body: Self.content)
        #expect(response.code == code, "\(response.text)")
        #expect(response.status == (code == nil ? 200 : response.status))
        let stored = try live.exchange(.getObject, "key")
        #expect(stored.status == (code == nil ? 200 : 404))
        #expect(stored["content-encoding"] == (value == "gzip" ? "gzip" : nil))
        #expect(stored["x-amz-acl"] == nil && stored["x-amz-tagging"] == nil)
        live.drain()
        #expect(try live.directory.files(in: "/incoming").isEmpty)
    }

    @Test("An upload needs a length that S3 accepts")
    func length() throws {
        let target = try live.target(.putObject, "key")
        #expect(try live.send("PUT", target).code == "MissingContentLength")
        let chunked = try live.send("PUT", target, headers: [("Transfer-Encoding", "chunked")])
        #expect(chunked.status == 411)
        let large = try live.send("PUT", target, headers: [("Content-Length", "\((5 << 30) + 1)")])
        #expect(large.status == 400)
        #expect(large.code == "EntityTooLarge")
        #expect(large.element("MaxSizeAllowed") == "5368709120")
        let two = [
            (name: "x-amz-checksum-crc32", value: "y/Q5Jg=="), (name: "x-amz-checksum-crc32c", value: "4waSgw=="),
        ]
        #expect(try live.exchange(.putObject, "key", signed: two, body: Self.content).code == "InvalidRequest")
        #expect(try live.exchange(.putObject, "empty", body: []).status == 200)
        let empty = try live.exchange(.getObject, "empty")
        #expect(empty.status == 200)
        #expect(empty["etag"] == "\"d41d8cd98f00b204e9800998ecf8427e\"")
        #expect(empty.body.isEmpty)
    }

    @Test("A truncated upload stores nothing and leaves no file behind")
    func truncated() throws {
        let client = try RawClient(port: live.port)
        let target = try live.target(.putObject, "key")
        client.send(
            Array("PUT \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(live.port)\r\nContent-Length: 100000\r\n\r\nabc".utf8))
        client.finishSending()
        #expect(try client.response()?.code == "IncompleteBody")
        #expect(try client.isClosedByServer())
        live.drain()
        #expect(try live.exchange(.getObject, "key").code == "NoSuchKey")
        #expect(try live.directory.files(in: "/incoming").isEmpty)
        #expect(try live.directory.files(in: "/objects").isEmpty)
    }

    @Test("If-None-Match and If-Match decide whether an object is written")
    func conditions() throws {
        func put(_ content: [UInt8], _ name: String, _ value: String) throws -> RawResponse {
            try live.exchange(.putObject, "key", signed: [(name, value)], body: content)
        }
        let first = try put([1], "if-none-match", "*")
        #expect(first.status == 200)
        let second = try put([2], "if-none-match", "*")
        #expect(second.status == 412)
        #expect(second.code == "PreconditionFailed")
        #expect(second.element("Condition") == "If-None-Match")
        #expect(try put([3], "if-match", "\"x\"").status == 412)
        #expect(try live.exchange(.getObject, "key").body == [1])
        #expect(try put([4], "if-match", try #require(first["etag"])).status == 200)
        #expect(try live.exchange(.getObject, "key").body == [4])
        #expect(try live.exchange(.deleteObject, "key", signed: [("if-match", "\"x\"")]).status == 412)
        #expect(try live.exchange(.deleteObject, "key", signed: [("if-match", "*")]).status == 204)
    }

    @Test("A large upload is returned unchanged, however it is split")
    func large() throws {
        let content = (0..<(3 << 20) + 17).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        #expect(try live.exchange(.putObject, "large", body: content).status == 200)
        #expect(try live.exchange(.getObject, "large").body == content)
        let keep = try live.exchange(.putObject, "dir/..%2F\u{e9} \u{1}", body: [7])
        #expect(keep.status == 200)
        #expect(try live.exchange(.getObject, "dir/..%2F\u{e9} \u{1}").body == [7])
        #expect(try live.exchange(.getObject, StoragePath(bytes: [0xFF, 0x00, 0x2F])).code == "NoSuchKey")
    }

    @Test("Objects persist after the store closes")
    func reopened() throws {
        let directory = try TemporaryDirectory()
        do {
            let first = try LiveStore(directory: directory)
            #expect(try first.exchange(.putObject, "key", body: [1, 2]).status == 200)
        }
        let second = try Self.reopen(directory)
        #expect(try second.exchange(.getObject, "key").body == [1, 2])
    }

    /// Opens a store that was just closed. A child process of another test may hold a copy of the lock until its exec.
    private static func reopen(_ directory: TemporaryDirectory) throws -> LiveStore {
        let deadline = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < deadline {
            if let store = try? LiveStore(directory: directory) { return store }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return try LiveStore(directory: directory)
    }
}
