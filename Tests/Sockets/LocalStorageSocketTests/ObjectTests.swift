import SocketTestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("Objects in the local storage")
struct ObjectTests {
    static let content = Array("Hello, local storage".utf8)

    @Test("An uploaded object is returned with its headers, metadata and checksum")
    func putAndGet() throws {
        let live = try LiveStore()
        let checksum = Base64.encode(SHA256.hash(Self.content).bytes)
        let signed = [
            (name: "content-type", value: "text/plain"), (name: "x-amz-meta-colour", value: "green"),
            (name: "x-amz-checksum-sha256", value: checksum),
        ]
        let put = try live.exchange(.putObject, "a/b.txt", signed: signed, body: Self.content)
        #expect(put.status == 200, "\(put.text)")
        #expect(put["etag"] == "\"\(Hexadecimal.encode(InsecureHash.hash(Self.content, .md5)))\"")
        #expect(put["x-amz-checksum-sha256"] == checksum)
        #expect(put["server"] == "presign-local")
        #expect((put["x-amz-request-id"]?.utf8.count ?? 0) > 8)
        let get = try live.exchange(.getObject, "a/b.txt")
        #expect(get.status == 200)
        #expect(get.body == Self.content)
        #expect(get["content-type"] == "text/plain")
        #expect(get["x-amz-meta-colour"] == "green")
        #expect(get["last-modified"] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(get["accept-ranges"] == "bytes")
        #expect(get["x-amz-checksum-sha256"] == nil)
        let head = try live.exchange(
            .headObject, "a/b.txt", signed: [(name: "x-amz-checksum-mode", value: "ENABLED")])
        #expect(head.status == 200)
        #expect(head["content-length"] == "\(Self.content.count)")
        #expect(head["x-amz-checksum-sha256"] == checksum)
        #expect(try live.exchange(.deleteObject, "a/b.txt").status == 204)
        #expect(try live.exchange(.deleteObject, "a/b.txt").status == 204)
        let gone = try live.exchange(.getObject, "a/b.txt")
        #expect(gone.status == 404)
        #expect(gone.code == "NoSuchKey")
        #expect(gone.element("Key") == "a/b.txt")
    }
}
