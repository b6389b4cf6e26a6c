import SocketTestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("HTML forms in the local storage")
struct FormTests {
    private typealias Field = (name: String, value: String)
    private static let type: Field = ("Content-Type", "text/plain")
    private static let content = Array("hello".utf8)

    /// The fields of a signed form.
    private static func fields(
        _ live: LiveStore, key: StoragePath = "forms/a.txt", sizes: ClosedRange<Int64> = 0...10, expiresIn: Int = 600,
        _ fields: [Field] = [type]
    ) throws -> [Field] {
        let bucket = try S3Bucket(
            S3EndpointOptions(
                bucket: LiveStore.bucket, region: "us-east-1", endpoint: "http://127.0.0.1:\(live.port)"))
        var presigner = Presigner()
        let form = try PostPolicy(key: key, in: bucket, expiresIn: expiresIn, contentLength: sizes, fields: fields)
            .form(with: live.store.credentials, at: live.now, using: &presigner)
        #expect(form.action.text == "http://127.0.0.1:\(live.port)/\(LiveStore.bucket)")
        return form.fields.map { ($0.name, $0.value) }
    }

    /// Sends a form as a browser does.
    private static func send(
        _ live: LiveStore, _ fields: [Field], file: [UInt8]? = content, bucket: String = LiveStore.bucket
    ) throws -> RawResponse {
        try live.send(
            "POST", "/\(bucket)", headers: [("Content-Type", "multipart/form-data; boundary=XyZ")],
            body: body(fields, file: file))
    }

    private static func body(_ fields: [Field], file: [UInt8]? = content) -> [UInt8] {
        let start = "--XyZ\r\nContent-Disposition: form-data; name="
        var body = Array(fields.map { "\(start)\"\($0.name)\"\r\n\r\n\($0.value)\r\n" }.joined().utf8)
        if let file {
            let head = "\(start)\"file\"; filename=\"b.html\"\r\nContent-Type: text/html\r\n\r\n"
            body += Array(head.utf8) + file + Array("\r\n".utf8)
        }
        return body + Array("--XyZ--\r\n".utf8)
    }

    private static func changing(_ fields: [Field], _ name: String, to value: String?) -> [Field] {
        fields.compactMap { $0.name == name ? value.map { (name, $0) } : $0 }
    }

    @Test("Without Host, which HTTP/1.0 permits, the object's location is relative")
    func withoutHost() throws {
        let live = try LiveStore()
        let body = Self.body(try Self.fields(live))
        let head = [
            "POST /\(LiveStore.bucket) HTTP/1.0", "Content-Type: multipart/form-data; boundary=XyZ",
            "Content-Length: \(body.count)",
        ]
        let client = try RawClient(port: live.port)
        client.send(head.joined(separator: "\r\n") + "\r\n\r\n" + String(decoding: body, as: UTF8.self))
        let response = try #require(try client.response())
        #expect(response.status == 204 && response["location"] == "/local/forms/a.txt", "\(response.text)")
    }

    @Test("A form stores the file with what its fields set")
    func stored() throws {
        let live = try LiveStore()
        let checksum = Base64.encode(SHA256.hash(Self.content).bytes)
        let tags = "<Tagging><TagSet><Tag><Key>a</Key><Value>b c</Value></Tag></TagSet></Tagging>"
        let fields = try Self.fields(
            live,
            [
                Self.type, ("Cache-Control", "no-store"), ("Content-Disposition", "attachment"),
                ("Content-Language", "de"), ("x-amz-meta-colour", "green"), ("x-amz-storage-class", "STANDARD_IA"),
                ("x-amz-checksum-sha256", checksum), ("tagging", tags), ("success_action_status", "200"),
                ("acl", "public-read"), ("x-amz-server-side-encryption", "AES256"),
            ])
        let response = try Self.send(live, fields)
        #expect(response.status == 200 && response.body.isEmpty, "\(response.text)")
        #expect(response["x-amz-server-side-encryption"] == "AES256")
        #expect(response["location"] == "http://127.0.0.1:\(live.port)/local/forms/a.txt")
        let get = try live.exchange(.getObject, "forms/a.txt")
        #expect(get.body == Self.content && get["content-type"] == "text/plain" && get["etag"] == response["etag"])
        #expect(get["cache-control"] == "no-store" && get["content-disposition"] == "attachment")
        #expect(get["content-language"] == "de" && get["x-amz-meta-colour"] == "green")
        #expect(get["x-amz-storage-class"] == "STANDARD_IA" && get["x-amz-tagging-count"] == "1")
        let head = try live.exchange(
            .headObject, "forms/a.txt", signed: [(name: "x-amz-checksum-mode", value: "ENABLED")])
        #expect(head["x-amz-checksum-sha256"] == checksum)
        let read = { (query: String) in try live.send(.init(path: "/local/forms/a.txt", query: query)) }
        #expect(try read("acl=").text.components("Permission") == ["FULL_CONTROL", "READ"])
        #expect(try read("tagging=").element("Tag") == "<Key>a</Key><Value>b c</Value>")
        let refused = try Self.send(live, Self.fields(live, [Self.type, ("acl", "public-read-write")]))
        #expect(refused.status == 400 && refused.code == "AccessControlListNotSupported", "\(refused.text)")
    }

    @Test("The response is what the fields ask for")
    func responses() throws {
        let live = try LiveStore()
        let key: StoragePath = "forms/a b&é.txt"
        func response(_ name: String, _ value: String) throws -> RawResponse {
            try Self.send(live, Self.fields(live, key: key, [Self.type, (name, value)]))
        }
        let created = try response("success_action_status", "201")
        #expect(created.status == 201 && created.element("Key") == "forms/a b&amp;é.txt")
        #expect(created.element("Bucket") == "local" && created.element("ETag")?.contains("5d41402a") == true)
        #expect(created.element("Location") == "http://127.0.0.1:\(live.port)/local/forms/a%20b%26%C3%A9.txt")
        #expect(try response("success_action_status", "204").status == 204)
        #expect(try response("success_action_status", "500").status == 204)
        let redirect = try response("success_action_redirect", "https://app.example/done?a=1")
        #expect(redirect.status == 303)
        #expect(
            redirect["location"] == "https://app.example/done?a=1&bucket=local&key=forms%2Fa%20b%26%C3%A9.txt"
                + "&etag=%225d41402abc4b2a76b9719d911017c592%22")
    }

    @Test("Every changed, removed and added field is refused, and nothing is stored")
    func fields() throws {
        let live = try LiveStore()
        let checksum = Base64.encode(SHA256.hash(Self.content).bytes)
        let fields = try Self.fields(
            live,
            [
                Self.type, ("Cache-Control", "no-store"), ("x-amz-meta-colour", "green"),
                ("x-amz-checksum-sha256", checksum), ("success_action_status", "201"),
            ])
        for (name, value) in fields {
            for changed in [value + "x", nil] {
                let response = try Self.send(live, Self.changing(fields, name, to: changed))
                #expect(400..<404 ~= response.status, "\(name) = \(changed ?? "-"): \(response.text)")
            }
        }
        let added: [Field] = [
            ("acl", "public-read"), ("x-amz-acl", "public-read"), ("x-amz-meta-other", "1"), ("unknown", "1"),
            ("success_action_redirect", "https://evil.example"), ("Content-Disposition", "inline"),
            ("x-amz-storage-class", "GLACIER"), ("tagging", "<Tagging><TagSet></TagSet></Tagging>"),
            ("x-amz-security-token", "x"),
        ]
        for field in added {
            let response = try Self.send(live, fields + [field])
            #expect(response.status == 403 && response.text.contains("Extra input fields"), "\(field.name)")
        }
        #expect(try Self.send(live, fields + [("bucket", "other")]).status == 403)
        #expect(try Self.send(live, fields + [Self.type]).status == 400)
        #expect(try live.exchange(.getObject, "forms/a.txt").status == 404)
        let ignored: [Field] = [("x-ignore-me", "1"), ("bucket", LiveStore.bucket)]
        #expect(try Self.send(live, fields + ignored).status == 201)
    }

    @Test("The size, the content and the time are those of the policy")
    func limits() throws {
        let live = try LiveStore()
        let fields = try Self.fields(live, sizes: 2...5)
        for (content, code) in [("1", "EntityTooSmall"), ("123456", "EntityTooLarge"), ("", "EntityTooSmall")] {
            let response = try Self.send(live, fields, file: Array(content.utf8))
            #expect(response.status == 400 && response.code == code, "\(content): \(response.text)")
        }
        #expect(try Self.send(live, fields, file: nil).status == 400)
        let checksum = ("x-amz-checksum-sha256", Base64.encode(SHA256.hash(Array("other".utf8)).bytes))
        let other = try Self.send(live, Self.fields(live, [Self.type, checksum]))
        #expect(other.status == 400 && other.code == "BadDigest")
        #expect(try live.exchange(.getObject, "forms/a.txt").status == 404)
        for content in ["12", "12345"] { #expect(try Self.send(live, fields, file: Array(content.utf8)).status == 204) }
        live.advanceClock(by: 600)
        let expired = try Self.send(live, fields)
        #expect(expired.status == 403 && expired.text.contains("Policy expired"), "\(expired.text)")
    }

    @Test("Only a policy that the store's credentials signed for the bucket is accepted")
    func policies() throws {
        let live = try LiveStore()
        let fields = try Self.fields(live)
        #expect(try Self.send(live, fields, bucket: "other").status == 400)
        #expect(try Self.send(live, fields, bucket: "missing").code == "NoSuchBucket")
        let loose = Base64.encode(
            Array(#"{"expiration":"2100-01-01T00:00:00Z","conditions":[["starts-with","$key",""]]}"#.utf8))
        #expect(try Self.send(live, Self.changing(fields, "policy", to: loose)).code == "SignatureDoesNotMatch")
        let id = "AKIDOTHER/20231114/us-east-1/s3/aws4_request"
        #expect(try Self.send(live, Self.changing(fields, "x-amz-credential", to: id)).code == "InvalidAccessKeyId")
        #expect(try Self.send(live, [("key", "a")]).code == "AccessDenied")
        #expect(try Self.send(live, Self.changing(fields, "key", to: "a/${filename}")).status == 501)
    }
}
