import Foundation
import SocketTestSupport
import Testing

@testable import AccessRules
@testable import DataFormats
@testable import HTTP1
@testable import PresignService
@testable import PresignServiceTestSupport
@testable import Presigning
@testable import Text

@Suite("HTML forms")
struct FormTests {
    /// The body of a 200 response to a request for a form.
    private struct Form: Decodable {
        let url: String, method: String, headers: [String: String], fields: [String: String]
        let key: String, expiresIn: Int, expiresAt: String

        /// The policy's conditions, each as JSON.
        func conditions() throws -> [JSONValue] {
            let policy = Array((fields["policy"] ?? "").utf8)
            guard let text = Base64.decode(policy.span),
                case .array(let conditions)? = try JSONValue(parsing: text)["conditions"]
            else { return [] }
            return conditions
        }

        /// The bounds of the file's size.
        func sizes() throws -> [Int64] {
            for case .array(let parts) in try conditions()
            where parts.first?.string.map({ $0.elementsEqual("content-length-range".utf8) }) ?? false {
                return parts.dropFirst().compactMap(\.integer)
            }
            return []
        }
    }

    private static func service(
        write: String = "types: [image/*], maxSize: 1k", store: String = "", origins: String = #""https://app.example""#
    ) throws -> TestService {
        try TestService(
            """
            version: 1
            server: {listen: "127.0.0.1:0", loops: 1}
            stores:
              media: {bucket: media, region: eu-west-1, prefix: v1/, default: true\(store)}
            auth: {guest: true}
            cors: {origins: [\(origins)]}
            audit: {to: stdout}
            rules:
              - path: uploads/**
                allow: {everyone: [get, write, multipart]}
                write: {\(write)}
            """)
    }

    private static func send(
        _ members: String, to service: TestService, more: [String] = []
    ) throws -> RawResponse {
        let body = #"{"method":"POST","form":true,"path":"uploads/a.png"\#(members)}"#
        return try service.exchange(presignRequest(body, key: nil, more))
    }

    private static let type = #","contentType":"image/png""#

    private static func form(_ members: String = "", from service: TestService) throws -> Form {
        let response = try send(type + members, to: service)
        #expect(response.status == 200, "\(response.text)")
        return try JSONDecoder().decode(Form.self, from: Data(response.body))
    }

    /// The status, and the pointers of the errors.
    private static func refusal(_ members: String, by service: TestService) throws -> String {
        let response = try send(members, to: service)
        let pointers = response.status == 200 ? [] : try response.problem().pointers
        return "\(response.status) \(pointers.joined(separator: " "))"
    }

    @Test("The response has the fields for one key, one type and a range of sizes, each with its condition")
    func plain() throws {
        let form = try Self.form(#","expiresIn":60"#, from: Self.service())
        #expect(form.url == "https://media.s3.eu-west-1.amazonaws.com/" && form.method == "POST")
        #expect(form.key == "uploads/a.png" && form.headers.isEmpty && form.expiresIn == 60)
        #expect(form.fields["key"] == "v1/uploads/a.png" && form.fields["Content-Type"] == "image/png")
        #expect(form.fields["success_action_status"] == "201")
        #expect(try form.sizes() == [0, 1024])
        let covered = Set(
            try form.conditions().flatMap { condition -> [String] in
                guard case .object(let members) = condition else { return [] }
                return members.map { String(decoding: $0.name, as: UTF8.self) }
            })
        #expect(covered == Set(form.fields.keys).subtracting(["policy", "x-amz-signature"]).union(["bucket"]))
    }

    @Test("A named length, a checksum, settings and the rule's values become fields")
    func options() throws {
        let service = try Self.service(
            write: "maxSize: 1k, checksum: sha256, accept: [tagging, storageClass], set: {cacheControl: no-store}")
        let checksum = "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
        let form = try Self.form(
            #","contentLength":5,"checksumSHA256":"\#(checksum)","metadata":{"A":"1"},"tagging":{"b":"é","a":"1 2"},"#
                + #""contentDisposition":"attachment","storageClass":"GLACIER","successStatus":204"#, from: service)
        #expect(try form.sizes() == [5, 5])
        #expect(form.fields["x-amz-checksum-sha256"] == checksum && form.fields["x-amz-meta-a"] == "1")
        #expect(form.fields["cache-control"] == "no-store" && form.fields["content-disposition"] == "attachment")
        #expect(form.fields["x-amz-storage-class"] == "GLACIER" && form.fields["success_action_status"] == "204")
        #expect(
            form.fields["tagging"] == "<Tagging><TagSet><Tag><Key>b</Key><Value>é</Value></Tag>"
                + "<Tag><Key>a</Key><Value>1 2</Value></Tag></TagSet></Tagging>")
        #expect(try Self.refusal(Self.type, by: service) == "422 #/checksumSHA256")
    }

    @Test("Fields that do not go together are named")
    func combinations() throws {
        let service = try Self.service()
        for (members, expected) in [
            ("", "400 #/contentType"), (#","contentType":"""#, "400 #/contentType"),
            (Self.type + #","ifNoneMatch":"*""#, "400 #/ifNoneMatch"),
            (Self.type + #","uploadId":"u""#, "400 #/contentType #/uploadId"),
            (Self.type + #","successStatus":302"#, "400 #/successStatus"),
            (Self.type + #","successStatus":200,"successRedirect":"https://app.example/""#, "400 #/successStatus"),
            (Self.type + #","successRedirect":"/done""#, "400 #/successRedirect"),
            (Self.type + #","successRedirect":"https://app.example/#a""#, "400 #/successRedirect"),
            (Self.type + #","responseContentType":"a/b""#, "400 #/responseContentType"),
            (Self.type + #","versionId":"v""#, "400 #/versionId"),
            (#","contentType":"text/html""#, "422 #/contentType"),
            (Self.type + #","contentLength":1025"#, "422 #/contentLength"),
            (Self.type + #","storageClass":"GLACIER""#, "422 #/storageClass"),
        ] {
            #expect(try Self.refusal(members, by: service) == expected, "\(members)")
        }
        for (body, pointer) in [
            (#"{"path":"uploads/a.png","form":true,"method":"PUT","contentType":"image/png"}"#, "#/method"),
            (#"{"path":"uploads/a.png","form":true,"contentType":"image/png"}"#, "#/method"),
            (#"{"path":"uploads/a.png","method":"PUT","successStatus":200}"#, "#/successStatus"),
            (
                #"{"path":"uploads/a.png","method":"POST","form":false,"successRedirect":"https://a"}"#,
                "#/successRedirect"
            ),
            (#"{"path":"uploads/${filename}","method":"POST","form":true,"contentType":"image/png"}"#, "#/path"),
            (#"{"path":"uploads/a.png","form":"yes"}"#, "#/form"),
        ] {
            let response = try service.exchange(presignRequest(body, key: nil))
            #expect(response.status == 400, "\(body)")
            #expect(try response.problem().pointers.contains(pointer), "\(body): \(response.text)")
        }
    }

    @Test("A rule must have maxSize, and must let objects be replaced")
    func rules() throws {
        for (write, expected) in [
            ("maxSize: 1k", "200 "), ("types: [image/*]", "422 #/form"),
            ("maxSize: 1k, overwrite: false", "422 #/form"),
            ("overwrite: false", "422 #/form #/form"), ("maxSize: 1k, overwrite: true", "200 "),
        ] {
            #expect(try Self.refusal(Self.type, by: Self.service(write: write)) == expected, "\(write)")
        }
        let elsewhere = #"{"method":"POST","form":true,"path":"other/a","contentType":"image/png"}"#
        #expect(try Self.service().exchange(presignRequest(elsewhere, key: nil)).status == 401)
    }

    @Test("Redirects go only to origins that cors.origins lists by name")
    func redirects() throws {
        let listed = try Self.service()
        let form = try Self.form(#","successRedirect":"https://app.example/done?a=1""#, from: listed)
        #expect(form.fields["success_action_redirect"] == "https://app.example/done?a=1")
        #expect(form.fields["success_action_status"] == nil)
        for target in ["https://app.example.evil/", "http://app.example/", "https://app.example:444/", "https://evil/"]
        {
            #expect(
                try Self.refusal(Self.type + #","successRedirect":"\#(target)""#, by: listed) == "400 #/successRedirect"
            )
        }
        let any = try Self.service(origins: #""*""#)
        #expect(
            try Self.refusal(Self.type + #","successRedirect":"https://app.example/""#, by: any)
                == "400 #/successRedirect")
    }

    @Test("A store with `forms: false` refuses by name")
    func stores() throws {
        let service = try Self.service(store: ", forms: false")
        let response = try Self.send(Self.type, to: service)
        #expect(response.status == 400)
        let problem = try response.problem()
        #expect(problem.pointers == ["#/form"] && problem.errors?.first?.detail.contains("`media`") == true)
    }

    @Test("A text response cannot contain the fields; an item of a batch can")
    func formats() throws {
        let service = try Self.service()
        #expect(try Self.send(Self.type, to: service, more: ["Accept: text/plain"]).status == 406)
        let item = #"{"method":"POST","form":true,"path":"uploads/a.png","contentType":"image/png"}"#
        let response = try service.exchange(batchRequest([item], key: nil))
        #expect(response.status == 200 && response.text.contains(#""fields":{"key":"v1/uploads/a.png""#))
    }

    @Test("The audit and the metrics tell forms from URLs, and contain no signature")
    func records() throws {
        let service = try Self.service()
        let form = try Self.form(from: service)
        let line = try #require(service.auditLines().first)
        #expect(line.contains(#""action":"write""#) && line.contains(#""form":true"#))
        #expect(!line.contains(try #require(form.fields["x-amz-signature"])))
        let metrics = try service.exchange("GET /metrics HTTP/1.1\r\nHost: presign.test\r\n\r\n").text
        #expect(metrics.contains(#"operation="PostObject""#))
    }
}
