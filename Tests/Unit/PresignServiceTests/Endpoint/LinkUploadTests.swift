import HTTPServerTestSupport
import ObjectExistence
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Uploads with plain links")
struct LinkUploadTests {
    private typealias Key = SampleConfiguration.Key
    private static let media = "https://acme-media.s3.eu-west-1.amazonaws.com/"
    private static let digest = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    private static func service(_ change: (inout SampleConfiguration) -> Void = { _ in }) throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.links = true
        change(&configuration)
        return try TestService(configuration.yaml + "\naudit: {to: stdout}\n")
    }

    private static func put(_ target: String, _ headers: [String], key: String? = Key.web) -> String {
        let lines =
            ["PUT \(target) HTTP/1.1", "Host: presign.test"] + (key.map { ["X-API-Key: \($0)"] } ?? []) + headers
        return lines.joined(separator: "\r\n") + "\r\n\r\n"
    }

    @Test("The URL is signed for the headers that the storage gets with the repeated request")
    func signed() throws {
        let sent = [
            "content-type": "text/csv", "content-length": "5", "x-amz-checksum-sha256": Self.digest,
            "if-none-match": "*",
        ]
        let lines = sent.map { "\($0.key): \($0.value)" } + ["Expect: 100-continue", "Cache-Control: no-store"]
        let exchange = try Self.service().send(Self.put("/o/public/a%20b?expiresIn=60", lines))
        #expect(exchange.status == 307 && exchange.response.body.isEmpty, "\(exchange.response.text)")
        #expect(exchange["cache-control"] == "no-store" && exchange["referrer-policy"] == "no-referrer")
        let location = try #require(exchange["location"])
        #expect(location.hasPrefix(Self.media + "public/a%20b?"))
        #expect(queryItems(of: location)["X-Amz-Expires"] == "60")
        #expect(
            queryItems(of: location)["X-Amz-SignedHeaders"]
                == "content-length;content-type;host;if-none-match;x-amz-checksum-sha256")
        #expect(try verification(of: location, method: "PUT", headers: sent, at: TestClock.startTime) == .valid)
        for (name, value) in ["content-type": "text/html", "content-length": "6", "if-none-match": "x"] {
            let changed = sent.merging([name: value]) { $1 }
            #expect(
                try verification(of: location, method: "PUT", headers: changed, at: TestClock.startTime)
                    == .tampered(.signature))
        }
        let entry = try #require(exchange.audit.first)
        #expect(exchange.audit.count == 1 && entry.event == "presign" && entry.status == 307)
        #expect(entry.action == "write" && entry.key == "public/a b" && entry.apiKey == "web")
        #expect(entry.contentType == "text/csv" && entry.contentLength == 5 && entry.expiresIn == 60)
    }

    struct Case: CustomTestStringConvertible, Sendable {
        let target: String
        let headers: [String]
        let status: Int
        let code: String
        let pointers: [String]
        var testDescription: String { "\(status) \(target) \(headers)" }

        init(_ target: String, _ headers: [String], _ status: Int, _ code: String, _ pointers: String...) {
            (self.target, self.headers, self.status, self.code) = (target, headers, status, code)
            self.pointers = pointers
        }
    }

    private static let nine = "Content-Length: 9"
    private static let once = "If-None-Match: *"
    private static let image = [nine, "Content-Type: image/png", "X-Amz-Checksum-SHA256: \(digest)", once]
    private static let setHeaders = ["Cache-Control: no-store", "X-Amz-Meta-Origin: presign"]

    static let cases = [
        Case("/o/public/a", [nine], 307, ""),
        Case("/o/public/a", ["Content-Length: 0"], 307, ""),
        Case("/o/public/a", [], 307, ""),
        Case("/o/public/a", [nine, "X-Amz-Cf-Id: edge", "X-Amzn-Trace-Id: Root=1"], 307, ""),
        Case("/o/inbox/a", image, 307, ""),
        Case("/o/once/a", [nine, once], 307, ""),
        Case("/o/settings/a", [nine] + setHeaders, 307, ""),
        Case("/o/public/a?store=archive", [nine], 400, "validation", "#/store"),
        Case("/o/public/a?responseContentType=a/b", [nine], 400, "validation", "#/responseContentType"),
        Case("/o/public/a?contentLength=9", [nine], 400, "validation", "#/contentLength"),
        Case("/o/public/./a", [nine], 400, "validation", "#/path"),
        Case("/o/public//a", [nine], 400, "validation", "#/path"),
        Case("/o/public/a", [nine, "If-None-Match: \"tag\""], 400, "validation", "#/ifNoneMatch"),
        Case("/o/public/a", [nine, "X-Amz-Checksum-SHA256: x"], 400, "validation", "#/checksumSHA256"),
        Case("/o/public/a", [nine, "x-AMZ-copy-source: b/c"], 400, "validation", "#/x-amz-copy-source"),
        Case(
            "/o/public/a", [nine, "x-amz-meta-a: b", "x-amz-acl: c"], 400, "validation", "#/x-amz-meta-a", "#/x-amz-acl"
        ),
        Case("/o/settings/a", [nine] + setHeaders + ["x-amz-meta-a: b"], 400, "validation", "#/x-amz-meta-a"),
        Case("/o/public/a", ["Transfer-Encoding: chunked"], 411, "length-required"),
        Case("/o/elsewhere/a", [nine], 403, "forbidden"),
        Case("/o/elsewhere/a", ["Content-Length: 5000000000000"], 403, "forbidden"),
        Case("/o/public/a", ["Content-Length: 6000000000"], 413, "constraint", "#/contentLength"),
        Case(
            "/o/inbox/a", ["Content-Length: 1025"] + image.dropFirst(), 413, "constraint", "#/contentLength"),
        Case("/o/inbox/a", [] + image.dropFirst(), 422, "constraint", "#/contentLength"),
        Case("/o/inbox/a", [nine, once], 422, "constraint", "#/contentType", "#/checksumSHA256"),
        Case("/o/once/a", [nine], 422, "constraint", "#/if-none-match"),
        Case("/o/settings/a", [nine], 422, "constraint", "#/cache-control", "#/x-amz-meta-origin"),
        Case("/o/public/a?expiresIn=604800", [nine], 422, "constraint", "#/expiresIn"),
    ]

    @Test("An upload is redirected if it meets the rule and the client need not add headers", arguments: cases)
    func decided(_ item: Case) throws {
        let service = try Self.service()
        let exchange = try service.send(Self.put(item.target, item.headers + ["Expect: 100-continue"]))
        #expect(exchange.status == item.status, "\(exchange.response.text)")
        #expect((exchange["location"] != nil) == (item.status == 307))
        guard item.status != 307 else { return }
        let problem = try exchange.response.problem()
        #expect(problem.code == item.code && problem.pointers == item.pointers, "\(exchange.response.text)")
        let entry = try #require(exchange.audit.first)
        #expect(entry.status == item.status && entry.bucket == nil)
        let event = [400: "input_validation_fail", 411: "input_validation_fail"][item.status] ?? "authz_fail"
        #expect(entry.event == event)
        #expect((entry.unmet != nil) == [413, 422].contains(item.status) || item.pointers == ["#/path"])
    }

    @Test("A missing If-None-Match gets the header to send")
    func createOnly() throws {
        let response = try Self.service().exchange(Self.put("/o/once/a", [Self.nine]))
        #expect(response.text.contains("send `if-none-match: *`; this upload needs it"), "\(response.text)")
    }

    @Test("A client that waits is redirected without 100 (Continue), and its connection closes")
    func expect() throws {
        let client = try Self.service().connect()
        client.send(Self.put("/o/public/a", ["Content-Length: 300000000", "Expect: 100-continue"]))
        let response = try #require(try client.response())
        #expect(response.status == 307 && response["connection"] == "close")
    }

    @Test("A small body that is sent at once is discarded, and the connection stays open")
    func body() throws {
        let service = try Self.service()
        let client = service.connect()
        for _ in 0..<2 {
            client.send(Self.put("/o/public/a", ["Content-Length: 5"]) + "Hello")
            #expect(try client.response()?.status == 307)
        }
    }

    @Test("Credentials are required, and each upload counts once against the caller's limit")
    func limit() throws {
        let service = try Self.service { $0.quotas = "{perCaller: {rate: 2/h, burst: 2}}" }
        #expect(try service.exchange(Self.put("/o/public/a", [Self.nine], key: nil)).status == 401)
        for status in [307, 307, 429] {
            #expect(try service.exchange(Self.put("/o/public/a", [Self.nine])).status == status)
        }
    }

    @Test("The check of a store is for downloads, so an upload asks nothing of the storage")
    func unchecked() throws {
        var configuration = SampleConfiguration()
        configuration.links = true
        let service = try TestService(
            configuration.yaml.replacing("links: true}", with: "links: true, validateObjectExistence: true}"),
            storage: [.status(404)])
        #expect(try service.exchange(Self.put("/o/public/a", [Self.nine])).status == 307)
        #expect(service.storage.urls.isEmpty)
    }
}
