import SocketTestSupport
import TestSupport
import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Requests to the local storage that are signed in the header")
struct HeaderSignedTests {
    private let live: LiveStore

    init() throws {
        live = try LiveStore()
    }

    @Test("Objects are stored, read, listed and deleted")
    func objects() throws {
        #expect(try live.send(.init(method: "PUT", body: "content")).status == 200)
        #expect(try live.send(.init()).body == Array("content".utf8))
        #expect(try live.send(.init(method: "HEAD")).status == 200)
        let listed = try live.send(.init(path: "/local", query: "list-type=2&prefix=k"))
        #expect(listed.text.components("Key") == ["key"])
        let old = try live.send(.init(path: "/local/", query: "prefix=k"))
        #expect(old.text.components("Key") == ["key"] && old.element("Marker") == "")
        #expect(try live.send(.init(method: "DELETE")).status == 204)
        #expect(try live.send(.init()).code == "NoSuchKey")
    }

    @Test("The first version of a listing has pages")
    func oldListing() throws {
        for key in ["a", "b/1", "b/2", "c"] {
            #expect(try live.send(.init(method: "PUT", path: "/local/\(key)", body: "")).status == 200)
        }
        let first = try live.send(.init(path: "/local", query: "delimiter=%2F&max-keys=2"))
        #expect(first.text.components("Key") == ["a"] && first.text.components("Prefix") == ["", "b/"])
        #expect(first.element("IsTruncated") == "true" && first.element("NextMarker") == "b/")
        #expect(first.element("Owner") == "<ID>presign-local</ID>")
        let second = try live.send(.init(path: "/local", query: "delimiter=%2F&marker=b%2F"))
        #expect(second.text.components("Key") == ["c"] && second.element("IsTruncated") == "false")
    }

    @Test("Buckets are listed, exist and have a region")
    func buckets() throws {
        let all = try live.send(.init(path: "/", query: "x-id=ListBuckets"))
        #expect(all.text.components("Name") == ["local", "other"])
        #expect(all.text.components("BucketRegion") == ["us-east-1", "eu-west-1"])
        let head = try live.send(.init(method: "HEAD", path: "/local"))
        #expect(head.status == 200 && head["x-amz-bucket-region"] == "us-east-1")
        #expect(try live.send(.init(method: "HEAD", path: "/missing")).status == 404)
        let created = try live.send(.init(method: "PUT", path: "/local", body: ""))
        #expect(created.status == 409 && created.code == "BucketAlreadyOwnedByYou", "\(created.text)")
        #expect(try live.send(.init(method: "PUT", path: "/missing", body: "")).code == "NoSuchBucket")
        let location = LiveStore.Signed(path: "/local", query: "location=")
        #expect(try live.send(location).text.hasSuffix("\"></LocationConstraint>"))
        var european = live.signer
        european.region = "eu-west-1"
        let other = try live.send(.init(path: "/other", query: "location="), by: european)
        #expect(other.text.hasSuffix("\">eu-west-1</LocationConstraint>"))
    }

    static let unsupported: [(String, String, String)] = [
        ("PUT", "/local", "acl="), ("DELETE", "/local", ""), ("GET", "/local", "policy="), ("GET", "/local", "cors="),
        ("GET", "/local", "versions="), ("PUT", "/local", "policy="), ("POST", "/local", ""), ("PUT", "/", ""),
        ("PUT", "/local", "versioning="), ("GET", "/local", "object-lock="), ("GET", "/local/key", "attributes="),
        ("GET", "/local/key", "retention="), ("PUT", "/local/key", "acl="), ("PUT", "/local/key", "tagging="),
    ]

    @Test("Everything else is NotImplemented", arguments: unsupported)
    func notImplemented(_ method: String, _ path: String, _ query: String) throws {
        let response = try live.send(.init(method: method, path: path, query: query, body: method == "GET" ? nil : ""))
        #expect(response.status == 501 && response.code == "NotImplemented", "\(response.text)")
    }

    @Test("Errors have the codes of S3")
    func errors() throws {
        var european = live.signer
        european.region = "eu-west-1"
        let region = try live.send(.init(), by: european)
        #expect(region.status == 400 && region.code == "AuthorizationHeaderMalformed")
        #expect(region.element("Region") == "us-east-1")
        for seconds: Int64 in [-901, 901] {
            let skewed = HeaderSigner(
                credentials: live.store.credentials, time: live.now.advanced(bySeconds: Int(seconds)))
            let response = try live.send(.init(), by: skewed)
            #expect(response.status == 403 && response.code == "RequestTimeTooSkewed", "\(response.text)")
        }
        let unknown = HeaderSigner(
            credentials: try Credentials(accessKeyID: "AKIAOTHER", secretAccessKey: "x"), time: live.now)
        #expect(try live.send(.init(), by: unknown).code == "InvalidAccessKeyId")
        let other = try live.send(
            .init(method: "PUT", payload: HeaderSigner.hash("signed"), body: "sent"))
        #expect(other.status == 400 && other.code == "XAmzContentSHA256Mismatch")
        #expect(try live.send(.init()).code == "NoSuchKey")
        for (authorization, status, code) in [
            ("AWS AKIA:c2lnbmF0dXJl", 400, "InvalidRequest"), ("Basic YTpi", 400, "InvalidArgument"),
            ("AWS4-HMAC-SHA256 Credential=a", 400, "AuthorizationHeaderMalformed"),
        ] {
            let headers = [("Authorization", authorization), ("x-amz-date", "20231114T221320Z")]
            let response = try live.send("GET", "/local/key", headers: headers)
            #expect(response.status == status && response.code == code, "\(response.text)")
        }
    }

    @Test("A wrong signature is explained, with both canonical requests")
    func explanation() throws {
        let (headers, _) = live.signer.headers(
            "GET", "/local/key", host: "127.0.0.1:\(live.port)", payload: "UNSIGNED-PAYLOAD")
        let response = try live.send("DELETE", "/local/key", headers: headers)
        #expect(response.status == 403 && response.code == "SignatureDoesNotMatch")
        let message = response.element("Message") ?? ""
        #expect(message.hasSuffix("The request was signed for GET, but it uses DELETE."), "\(message)")
        #expect(response.element("CanonicalRequest")?.hasPrefix("DELETE&#10;/local/key&#10;") == true)
        #expect(response.element("SignedCanonicalRequest")?.hasPrefix("GET&#10;/local/key&#10;") == true)
        let forged = HeaderSigner(
            credentials: try Credentials(
                accessKeyID: live.store.credentials.accessKeyID, secretAccessKey: "other"), time: live.now)
        let secret = try live.send(.init(), by: forged)
        #expect(secret.element("Message")?.contains("the secret access key") == true)
        #expect(secret.element("CanonicalRequest") != nil && secret.element("SignedCanonicalRequest") == nil)
    }

    @Test("Content in chunks is decoded, and its signatures and checksum are compared")
    func chunked() throws {
        let crc = (name: "x-amz-checksum-crc32", value: "y/Q5Jg==")
        for (trailer, status) in [(nil, 200), (crc, 200), ((crc.name, "AAAAAA=="), 400)] as [((String, String)?, Int)] {
            let response = try sendChunks(["12345", "6789"], trailer: trailer)
            #expect(response.status == status, "\(response.text)")
            #expect(response.code == (status == 200 ? nil : "BadDigest"))
        }
        let stored = try live.send(.init(headers: [("x-amz-checksum-mode", "ENABLED")]))
        #expect(stored.body == Array("123456789".utf8) && stored["x-amz-checksum-crc32"] == "y/Q5Jg==")
        #expect(stored["content-encoding"] == "gzip")
        let tampered = try sendChunks(["12345", "6789"], change: ("12345", "12346"))
        #expect(tampered.status == 403 && tampered.code == "SignatureDoesNotMatch")
        #expect(tampered.element("Message")?.hasSuffix("The signature of chunk 1 does not match its data.") == true)
        live.drain()
        #expect(try live.directory.files(in: "/incoming").isEmpty)
    }

    @Test("Unsigned chunks with a trailer are decoded")
    func unsignedChunks() throws {
        let response = try live.send(
            .init(
                method: "PUT",
                headers: [
                    ("content-encoding", "aws-chunked"), ("x-amz-decoded-content-length", "9"),
                    ("x-amz-sdk-checksum-algorithm", "CRC32"), ("x-amz-trailer", "x-amz-checksum-crc32"),
                ], payload: "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
                body: "9\r\n123456789\r\n0\r\nx-amz-checksum-crc32:y/Q5Jg==\r\n\r\n"))
        #expect(response.status == 200 && response["x-amz-checksum-crc32"] == "y/Q5Jg==", "\(response.text)")
        let stored = try live.send(.init())
        #expect(stored.body == Array("123456789".utf8) && stored["content-encoding"] == nil)
    }

    /// Uploads signed chunks of 9 bytes in all.
    private func sendChunks(
        _ pieces: [String], trailer: (String, String)? = nil, change: (String, String)? = nil
    ) throws -> RawResponse {
        let payload = "STREAMING-AWS4-HMAC-SHA256-PAYLOAD" + (trailer == nil ? "" : "-TRAILER")
        let (headers, seed) = live.signer.headers(
            "PUT", "/local/key", host: "127.0.0.1:\(live.port)", payload: payload,
            [("content-encoding", "gzip,aws-chunked"), ("x-amz-decoded-content-length", "9")]
                + (trailer.map { [("x-amz-trailer", $0.0)] } ?? []))
        var body = live.signer.chunks(pieces, after: seed, trailer: trailer.map { (name: $0.0, value: $0.1) })
        if let (old, new) = change { body = body.replacing(old, with: new) }
        return try live.send("PUT", "/local/key", headers: headers, body: Array(body.utf8))
    }
}
