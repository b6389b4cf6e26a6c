import SocketTestSupport
import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Reads of the local storage that SDKs send on their own")
struct SDKReadTests {
    private let live: LiveStore

    init() throws {
        live = try LiveStore()
    }

    private func put(_ key: String = "key", _ headers: [(String, String)] = []) throws {
        let response = try live.send(.init(method: "PUT", path: "/local/\(key)", headers: headers, body: "x"))
        try #require(response.status == 200, "\(response.text)")
    }

    static let tags: [(header: String?, keys: [String], values: [String])] = [
        (nil, [], []), ("a=b", ["a"], ["b"]), ("a=b&c", ["a", "c"], ["b", ""]),
        ("project=a%20b&%3Cq%3E=%26+", ["project", "&lt;q&gt;"], ["a b", "&amp; "]),
    ]

    @Test("The tags of an object are returned, and an empty set without tags", arguments: tags)
    func tagging(_ header: String?, _ keys: [String], _ values: [String]) throws {
        try put("key", header.map { [("x-amz-tagging", $0)] } ?? [])
        let response = try live.send(.init(query: "tagging="))
        #expect(response.status == 200 && response["content-type"] == "application/xml", "\(response.text)")
        #expect(response.text.components("Key") == keys && response.text.components("Value") == values)
        #expect(keys.isEmpty ? response.element("TagSet") == "" : response.element("TagSet") != nil)
        let count = keys.isEmpty ? nil : "\(keys.count)"
        #expect(try live.send(.init(method: "HEAD"))["x-amz-tagging-count"] == count)
    }

    @Test("Tags of which an earlier version stored only the number are not called empty")
    func oldTags() throws {
        try live.placeOldObject([1])
        let response = try live.send(.init(path: "/local/old", query: "tagging="))
        #expect(response.status == 501 && response.element("Message")?.contains("earlier version") == true)
        #expect(try live.send(.init(method: "HEAD", path: "/local/old"))["x-amz-tagging-count"] == "1")
    }

    @Test("Tags and access control lists of missing objects are NoSuchKey", arguments: ["tagging=", "acl="])
    func missing(_ query: String) throws {
        let response = try live.send(.init(query: query))
        #expect(response.status == 404 && response.code == "NoSuchKey", "\(response.text)")
    }

    @Test("A bucket has no versioning, and its owner has full control")
    func bucket() throws {
        let versioning = try live.send(.init(path: "/local", query: "versioning="))
        #expect(versioning.status == 200 && versioning.text.hasSuffix("2006-03-01/\"></VersioningConfiguration>"))
        try put()
        for path in ["/local", "/local/key"] {
            let acl = try live.send(.init(path: path, query: "acl="))
            #expect(acl.text.components("ID") == ["presign-local", "presign-local"], "\(acl.text)")
            #expect(
                acl.text.contains(" xsi:type=\"CanonicalUser\"><ID>") && acl.element("Permission") == "FULL_CONTROL")
        }
        #expect(try live.send(.init(path: "/missing", query: "versioning=")).code == "NoSuchBucket")
    }

    /// How a request is refused, and the region of the bucket that the response names.
    static let refusals: [(method: String, path: String, region: String, key: String?, status: Int, named: String?)] = [
        ("HEAD", "/local", "eu-west-1", nil, 400, "us-east-1"), ("HEAD", "/other", "us-east-1", nil, 400, "eu-west-1"),
        ("HEAD", "/other/a%2Fb", "us-east-1", nil, 400, "eu-west-1"),
        ("GET", "/other/key", "us-east-1", nil, 400, "eu-west-1"),
        ("HEAD", "/other/key", "eu-west-1", "AKIAOTHER", 403, "eu-west-1"),
        ("HEAD", "/other", "eu-west-1", "AKIAOTHER", 403, "eu-west-1"),
        ("HEAD", "/oth%65r", "eu-west-1", "AKIAOTHER", 403, "eu-west-1"),
        ("HEAD", "/missing", "us-east-1", nil, 404, nil), ("HEAD", "/missing", "us-east-1", "AKIAOTHER", 403, nil),
        ("HEAD", "/other/key", "eu-west-1", nil, 404, nil),
    ]

    @Test("A refused request names the region of the bucket", arguments: refusals)
    func region(
        _ method: String, _ path: String, _ region: String, _ key: String?, _ status: Int, _ named: String?
    ) throws {
        let other = try key.map { try Credentials(accessKeyID: $0, secretAccessKey: "x") }
        let signer = HeaderSigner(credentials: other ?? live.store.credentials, time: live.now, region: region)
        let response = try live.send(.init(method: method, path: path), by: signer)
        #expect(response.status == status, "\(response.text)")
        #expect(response["x-amz-bucket-region"] == named)
    }

    @Test("A request without credentials names the region of the bucket, as SDKs look it up")
    func anonymous() throws {
        for (path, region) in [("/other", "eu-west-1"), ("/local/key", "us-east-1"), ("/missing", nil), ("/", nil)] {
            let response = try live.send("HEAD", path)
            #expect(response.status == 403 && response["x-amz-bucket-region"] == region, "\(path)")
        }
    }

    private func begin(_ key: String, _ headers: [(String, String)] = []) throws -> String {
        let response = try live.send(
            .init(method: "POST", path: "/local/\(key)", query: "uploads=", headers: headers, body: ""))
        return try #require(response.element("UploadId"), "\(response.text)")
    }

    private func uploads(_ query: String = "uploads=") throws -> RawResponse {
        let response = try live.send(.init(path: "/local", query: query))
        try #require(response.status == 200, "\(response.text)")
        return response
    }

    @Test("Unfinished uploads are listed until they end")
    func unfinished() throws {
        #expect(try uploads().text.components("UploadId").isEmpty)
        let id = try begin("a%20b", [("x-amz-checksum-algorithm", "CRC32")])
        try live.directory.write([1], to: "uploads/\(String(repeating: "0", count: 32))/meta")
        let list = try uploads()
        for (name, value) in [
            ("Bucket", "local"), ("KeyMarker", ""), ("UploadIdMarker", ""), ("Prefix", ""), ("MaxUploads", "1000"),
            ("IsTruncated", "false"), ("Key", "a b"), ("UploadId", id), ("Initiated", "2023-11-14T22:13:20.000Z"),
            ("StorageClass", "STANDARD"), ("ChecksumAlgorithm", "CRC32"), ("Owner", "<ID>presign-local</ID>"),
            ("Initiator", "<ID>presign-local</ID>"),
        ] {
            #expect(list.element(name) == value, "\(name)")
        }
        for name in ["NextKeyMarker", "NextUploadIdMarker", "Delimiter", "EncodingType"] {
            #expect(list.element(name) == nil, "\(name)")
        }
        #expect(try live.send(.init(method: "DELETE", path: "/local/a%20b", query: "uploadId=\(id)")).status == 204)
        #expect(try uploads().text.components("UploadId").isEmpty)
    }

    @Test("Unfinished uploads are listed by prefix, delimiter and page")
    func uploadPages() throws {
        let twice = try [begin("f/b"), begin("f/b")].sorted()
        for key in ["f/a%20b/1", "f/a%20b/2", "g"] { _ = try begin(key) }
        let folder = try uploads("delimiter=%2F&encoding-type=url&max-uploads=1&prefix=f%2F&uploads=")
        #expect(folder.text.components("Prefix") == ["f/", "f/a%20b/"] && folder.text.components("Key").isEmpty)
        #expect(folder.element("IsTruncated") == "true" && folder.element("NextKeyMarker") == "f/a%20b/")
        #expect(folder.element("NextUploadIdMarker") == "" && folder.element("EncodingType") == "url")
        let next = try uploads("delimiter=%2F&key-marker=f%2Fa%20b%2F&max-uploads=1&prefix=f%2F&uploads=")
        #expect(next.text.components("UploadId") == [twice[0]] && next.element("NextUploadIdMarker") == twice[0])
        #expect(next.element("NextKeyMarker") == "f/b" && next.element("KeyMarker") == "f/a b/")
        let last = try uploads("key-marker=f%2Fb&prefix=f%2F&upload-id-marker=\(twice[0])&uploads=")
        #expect(last.text.components("UploadId") == [twice[1]] && last.element("IsTruncated") == "false")
        #expect(last.element("UploadIdMarker") == twice[0])
        #expect(try uploads("delimiter=&uploads=").text.components("Key").count == 5)
        for query in ["max-uploads=x&uploads=", "encoding-type=x&uploads="] {
            #expect(try live.send(.init(path: "/local", query: query)).code == "InvalidArgument", "\(query)")
        }
        let other = HeaderSigner(credentials: live.store.credentials, time: live.now, region: "eu-west-1")
        let none = try live.send(.init(path: "/other", query: "uploads="), by: other)
        #expect(none.status == 200 && none.text.components("Key").isEmpty)
    }
}
