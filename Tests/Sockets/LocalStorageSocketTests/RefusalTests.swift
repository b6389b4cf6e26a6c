import SocketTestSupport
import Testing

@testable import Cryptography
@testable import HTTP1
@testable import LocalStorage
@testable import Presigning

@Suite("Rejections by the local storage")
struct RefusalTests {
    private let live: LiveStore

    init() throws {
        live = try LiveStore()
    }

    @Test("A route of the service, at the port of the storage, says where the service is")
    func serviceRoute() throws {
        let target = "/presign"
        let before = try live.send("POST", target, body: [])
        #expect(before.status == 403 && before.text.contains("<Message>Access Denied</Message>"))
        live.store.allow(origin: "http://127.0.0.1:8080")
        for (method, target, isTold) in [
            ("POST", "/presign", true), ("POST", "/presign/batch", true), ("GET", "/o/a", true),
            ("GET", "/other", false),
            ("GET", "/healthz", true), ("GET", "/local/presign", false),
        ] {
            let response = try live.send(method, target, body: [])
            #expect(response.status == 403 && response.code == "AccessDenied", "\(target)")
            let message = "This is the storage; presign is at http://127.0.0.1:8080"
            #expect(response.text.contains(message) == isTold, "\(target): \(response.text)")
        }
    }

    @Test("Only the signed request is accepted, and only in its time")
    func authentication() throws {
        #expect(try live.exchange(.putObject, "key", body: [1]).status == 200)
        let target = try live.target(.getObject, "key")
        let foreign = try Credentials(accessKeyID: "AKIAFOREIGN", secretAccessKey: "x")
        let forged = try Credentials(accessKeyID: live.store.credentials.accessKeyID, secretAccessKey: "x")
        let unsigned = String(target.prefix { $0 != "?" })
        let cases:
            [(name: String, method: String, target: String, headers: [(String, String)], status: Int, code: String)] = [
                ("none", "GET", unsigned, [], 403, "AccessDenied"),
                ("another method", "PUT", target, [("Content-Length", "0")], 403, "SignatureDoesNotMatch"),
                ("another key", "GET", target.replacing("/key?", with: "/kez?"), [], 403, "SignatureDoesNotMatch"),
                ("one parameter more", "GET", target + "&response-expires=0", [], 403, "SignatureDoesNotMatch"),
                (
                    "longer life", "GET", target.replacing("Expires=600", with: "Expires=601"), [], 403,
                    "SignatureDoesNotMatch"
                ),
                (
                    "unknown access key id", "GET", try live.target(.getObject, "key", .init(credentials: foreign)), [],
                    403,
                    "InvalidAccessKeyId"
                ),
                (
                    "wrong secret", "GET", try live.target(.getObject, "key", .init(credentials: forged)), [], 403,
                    "SignatureDoesNotMatch"
                ),
                (
                    "wrong region", "GET", try live.target(.getObject, "key", .init(region: "eu-west-1")), [], 400,
                    "AuthorizationQueryParametersError"
                ),
                ("unsigned header", "GET", target, [("x-amz-checksum-mode", "ENABLED")], 403, "AccessDenied"),
                (
                    "no date", "GET", target.replacing(/X-Amz-Date=[^&]*&/, with: ""), [], 400,
                    "AuthorizationQueryParametersError"
                ),
                (
                    "lifetime too long", "GET", target.replacing("Expires=600", with: "Expires=604801"), [], 400,
                    "AuthorizationQueryParametersError"
                ),
                (
                    "signed header not sent", "PUT",
                    try live.target(.putObject, "key", .init(headers: [("content-type", "a/b")])),
                    [("Content-Length", "0")], 403, "SignatureDoesNotMatch"
                ),
                (
                    "other content type", "PUT",
                    try live.target(.putObject, "key", .init(headers: [("content-type", "a/b")])),
                    [("Content-Length", "0"), ("Content-Type", "a/c")], 403, "SignatureDoesNotMatch"
                ),
                ("a longer signature", "GET", target + "0", [], 403, "SignatureDoesNotMatch"),
                (
                    "no signature", "GET", target.replacing("&X-Amz-Signature=", with: "&X="), [], 400,
                    "AuthorizationQueryParametersError"
                ),
                ("unknown method", "PATCH", target, [], 405, "MethodNotAllowed"),
                (
                    "header", "GET", unsigned, [("Authorization", "AWS4-HMAC-SHA256 Credential=a")], 403,
                    "AccessDenied"
                ),
                ("both", "GET", target, [("Authorization", "AWS4-HMAC-SHA256 Credential=a")], 400, "InvalidArgument"),
                ("version 2", "GET", unsigned + "?AWSAccessKeyId=a&Expires=1&Signature=b", [], 400, "InvalidRequest"),
                ("invalid escape", "GET", target + "&x=%zz", [], 400, "InvalidURI"),
                (
                    "unknown bucket", "GET", try live.target(.getObject, "key", .init(bucket: "nobody")), [], 404,
                    "NoSuchBucket"
                ),
                (
                    "foreign bucket's region", "GET",
                    try live.target(.getObject, "key", .init(region: "eu-west-1", bucket: "other")), [], 404,
                    "NoSuchKey"
                ),
            ]
        for (name, method, target, headers, status, code) in cases {
            let response = try live.send(method, target, headers: headers)
            #expect(response.status == status, "\(name): \(response.text)")
            #expect(response.code == code, "\(name): \(response.text)")
            #expect(response["content-type"] == "application/xml")
            #expect(response.element("RequestId") == response["x-amz-request-id"])
        }
        #expect(try live.send("GET", target).status == 200)
    }

    @Test("A URL expires when it says, and is rejected more than 15 minutes before its date")
    func time() throws {
        let target = try live.target(.getObject, "key", .init(expiresIn: 60))
        live.advanceClock(by: 60)
        #expect(try live.send("GET", target).code == "NoSuchKey")
        live.advanceClock(by: 1)
        let expired = try live.send("GET", target)
        #expect(expired.status == 403)
        #expect(expired.code == "AccessDenied")
        #expect(expired.element("Message") == "Request has expired")
        #expect(expired.element("X-Amz-Expires") == "60")
        #expect(expired.element("Expires") == "2023-11-14T22:14:20Z")
        #expect(expired.element("ServerTime") == "2023-11-14T22:14:21Z")
        live.advanceClock(by: -61 - 901)
        let early = try live.send("GET", target)
        #expect(early.code == "AccessDenied")
        #expect(early.element("Message") == "Request is not valid yet")
    }

    @Test("Errors contain neither the secret nor its signature")
    func noSecrets() throws {
        let forged = try Credentials(accessKeyID: live.store.credentials.accessKeyID, secretAccessKey: "wrong")
        let good = try live.target(.getObject, "key")
        let signature = String(good.suffix(64))
        let response = try live.send("GET", try live.target(.getObject, "key", .init(credentials: forged)))
        #expect(!response.text.contains(signature))
        let secret = live.store.credentials.secretAccessKey.withBytes { bytes in
            String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
        }
        #expect(!response.text.contains(secret))
    }

    @Test("A client that sends Expect: 100-continue gets the error instead of 100")
    func expectation() throws {
        let client = try RawClient(port: live.port)
        let target = try live.target(.putObject, "key").replacing("/key?", with: "/kez?")
        let head = "Host: 127.0.0.1:\(live.port)\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n"
        client.send(Array("PUT \(target) HTTP/1.1\r\n\(head)".utf8))
        #expect(try client.response()?.status == 403)
        let other = try RawClient(port: live.port)
        other.send(Array("PUT \(try live.target(.putObject, "key")) HTTP/1.1\r\n\(head)".utf8))
        #expect(try other.response()?.status == 100)
    }

    @Test("Unsupported operations and invalid requests get different errors")
    func operations() throws {
        let cases:
            [(
                AWSS3SigningOperation, query: [(name: String, value: String)], signed: [(name: String, value: String)],
                Int, String
            )] = [
                (.getObject, [("attributes", "")], [], 501, "NotImplemented"),
                (.getObject, [("versionId", "1")], [], 501, "NotImplemented"),
                (.putObject, [], [("x-amz-copy-source", "/local/a")], 404, "NoSuchKey"),
                (.putObject, [], [("x-amz-tagging", "=a")], 400, "InvalidArgument"),
                (
                    .createMultipartUpload, [], [("x-amz-acl", "public-read-write")], 400,
                    "AccessControlListNotSupported"
                ),
                (
                    .putObject, [], [("x-amz-tagging", (0...10).map { "t\($0)=" }.joined(separator: "&"))], 400,
                    "InvalidArgument"
                ),
                (.putObject, [], [("x-amz-checksum-md5", "AAAA")], 501, "NotImplemented"),
                (
                    .uploadPart(partNumber: 1, uploadId: "none"), [], [("x-amz-checksum-foo", "AAAA")], 501,
                    "NotImplemented"
                ),
                (.deleteObject, [], [("x-amz-if-match-size", "9")], 501, "NotImplemented"),
                (
                    .getObject, [], [("x-amz-server-side-encryption-customer-algorithm", "AES256")], 501,
                    "NotImplemented"
                ),
                (.uploadPart(partNumber: 1, uploadId: "none"), [], [], 404, "NoSuchUpload"),
                (.listParts(uploadId: "../objects"), [], [], 404, "NoSuchUpload"),
                (.listParts(uploadId: "0123456789abcdef0123456789abcdef"), [], [], 404, "NoSuchUpload"),
            ]
        for (operation, query, signed, status, code) in cases {
            let response = try live.exchange(operation, "key", signed: signed, query: query, body: [])
            #expect(response.status == status, "\(operation): \(response.text)")
            #expect(response.code == code, "\(operation): \(response.text)")
        }
        let wrong = try live.exchange(.getObject, "key", query: [("uploads", "")])
        #expect(wrong.status == 405)
        #expect(wrong["allow"] == "POST")
        let head = try live.exchange(.headObject, "missing")
        #expect(head.status == 404)
        #expect(head["content-length"] == "0")
    }

    @Test("Unsigned headers may contain any bytes; metadata may not")
    func otherBytes() throws {
        for (name, status) in [("User-Agent", 404), ("Cookie", 404), ("x-amz-meta-a", 400)] {
            let client = try RawClient(port: live.port)
            let head = "GET \(try live.target(.getObject, "key")) HTTP/1.1\r\nHost: 127.0.0.1:\(live.port)\r\n\(name): "
            client.send(Array(head.utf8) + [0xE9] + Array("\r\n\r\n".utf8))
            #expect(try client.response()?.status == status, "\(name)")
        }
    }

    @Test("A request for another host name is MisdirectedRequest, whatever it asks for")
    func hosts() throws {
        func status(_ method: String, _ host: String, _ target: String? = nil) throws -> RawResponse {
            let client = try RawClient(port: live.port)
            let target = try target ?? live.target(.getObject, "key")
            client.send("\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            return try #require(try client.response(omitsBody: method == "HEAD"))
        }
        let refused = try status("GET", "dev.example:8081")
        #expect(refused.status == 421 && refused.code == "MisdirectedRequest")
        #expect(refused.element("Message")?.contains("origins: [&quot;http://dev.example:8081&quot;]") == true)
        for method in ["HEAD", "OPTIONS", "PUT"] { #expect(try status(method, "dev.example").status == 421) }
        #expect(try status("GET", "localhost", "http://dev.example/local/key").status == 421)
        for host in ["localhost:1", "storage.localhost", "[::1]"] { #expect(try status("GET", host).status == 403) }
        live.store.replaceHosts(by: AllowedHosts(of: ["http://dev.example:5173"]))
        #expect(try status("GET", "dev.example:8081").status == 403)
        live.store.replaceHosts(by: AllowedHosts())
        #expect(try status("GET", "dev.example:8081").status == 421)
    }

    @Test("Errors of the HTTP server itself are XML too")
    func failures() throws {
        for (request, status, code) in [
            ("GET /local/key HTTP/1.1\r\n\r\n", 400, "BadRequest"),
            ("GET /local/key HTTP/3.0\r\nHost: a\r\n\r\n", 505, "InvalidRequest"),
            ("GET /\(String(repeating: "k", count: 20_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414, "InvalidRequest"),
        ] {
            let client = try RawClient(port: live.port)
            client.send(Array(request.utf8))
            let response = try #require(try client.response())
            #expect(response.status == status)
            #expect(response.code == code)
        }
    }
}
