import HTTPServerTestSupport
import PresigningTestSupport
import SocketTestSupport
import Testing

@testable import CallerAuthentication
@testable import PresignServiceTestSupport
@testable import Presigning

@Suite("Plain links")
struct LinkTests {
    private static let media = "https://acme-media.s3.eu-west-1.amazonaws.com/"

    private static func service() throws -> TestService {
        var configuration = SampleConfiguration()
        configuration.links = true
        return try TestService(configuration.yaml)
    }

    private static func request(
        _ method: String, _ target: String, key: String? = SampleConfiguration.Key.web
    ) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: presign.test\r\n" + (key.map { "X-API-Key: \($0)\r\n" } ?? "") + "\r\n"
    }

    @Test(
        "A link redirects with 307 to a URL for the request's method", arguments: ["GET", "HEAD"],
        ["public/a.csv", "public/a%20b%2Bc.csv", "public/%C3%A9.csv", "public/a%252fb"])
    func redirect(method: String, path: String) throws {
        let response = try Self.service().exchange(Self.request(method, "/o/" + path), omitsBody: method == "HEAD")
        #expect(response.status == 307 && response.body.isEmpty)
        #expect(response["cache-control"] == "no-store")
        #expect(response["referrer-policy"] == "no-referrer")
        let location = try #require(response["location"])
        #expect(location.hasPrefix(Self.media + path + "?"))
        #expect(try verification(of: location, method: method, at: TestClock.startTime) == .valid)
        let other = method == "GET" ? "HEAD" : "GET"
        #expect(try verification(of: location, method: other, at: TestClock.startTime) == .tampered(.signature))
    }

    @Test("The query sets the lifetime and the storage's response headers")
    func query() throws {
        let query = "?expiresIn=60&responseContentType=text%2Fplain&responseContentDisposition=attachment"
        let response = try Self.service().exchange(Self.request("GET", "/o/public/a" + query))
        let location = try #require(response["location"])
        let items = queryItems(of: location)
        #expect(items["X-Amz-Expires"] == "60")
        #expect(items["response-content-type"] == "text/plain")
        #expect(items["response-content-disposition"] == "attachment")
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let request: String
        let status: Int
        let code: String
        var testDescription: String { "\(status) \(request.prefix { $0 != "\r" })" }

        init(_ request: String, _ status: Int, _ code: String) {
            (self.request, self.status, self.code) = (request, status, code)
        }
    }

    static let refusals = [
        Refusal(request("GET", "/o/public/a", key: SampleConfiguration.Key.off), 401, "credentials-invalid"),
        Refusal(request("GET", "/o/public/a", key: nil), 401, "credentials-missing"),
        Refusal(request("GET", "/o/private/bob/a"), 403, "forbidden"),
        Refusal(request("GET", "/o/inbox/.hidden"), 403, "forbidden"),
        Refusal(request("POST", "/o/public/a"), 405, "method-not-allowed"),
        Refusal(request("DELETE", "/o/public/a"), 405, "method-not-allowed"),
        Refusal(request("GET", "/o/"), 400, "validation"),
        Refusal(request("GET", "/o/public/../a"), 400, "validation"),
        Refusal(request("GET", "/o/public/%2e%2e/a"), 400, "validation"),
        Refusal(request("GET", "/o/public/%ff"), 400, "validation"),
        Refusal(request("GET", "/o/public//a"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?method=PUT"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?path=public/b"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?expiresIn=0"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?&&"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?expiresIn=1&expiresIn=2"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?expiresIn=604800"), 422, "constraint"),
        Refusal(request("GET", "/o/public/a?store=archive"), 400, "validation"),
        Refusal(request("GET", "/o/public/a?store=archive", key: nil), 401, "credentials-missing"),
        Refusal(request("GET", "/o/public/../a?store=archive"), 400, "validation"),
        Refusal(request("GET", "/o"), 404, "no-such-route"),
    ]

    @Test("Everything else is rejected as by POST /presign", arguments: refusals)
    func refused(_ refusal: Refusal) throws {
        let response = try Self.service().exchange(refusal.request)
        #expect(response.status == refusal.status)
        #expect(try response.problem().code == refusal.code, "\(response.text)")
        #expect(response["location"] == nil)
    }

    @Test(
        "A store without links gets the same response as an unknown store",
        arguments: ["public/a", "inbox/a", "x/.hidden"])
    func storeWithoutLinks(path: String) throws {
        var configuration = SampleConfiguration()
        (configuration.links, configuration.guest) = (true, true)
        let service = try TestService(configuration.yaml)
        for key in [SampleConfiguration.Key.web, nil] {
            let results = try ["archive", "nowhere"].map { store in
                let request = Self.request("GET", "/o/\(path)?store=\(store)", key: key)
                return try service.exchange(request.replacing("\r\n\r\n", with: "\r\nX-Request-Id: same\r\n\r\n"))
            }
            #expect(try results[0].status == 400 && results[0].problem().pointers == ["#/store"])
            #expect(results[0].status == results[1].status && results[0].body == results[1].body)
        }
        #expect(service.logLines().first?.contains(#""store":"archive""#) == true)
    }

    @Test("Without `links: true` the route does not exist and no credentials are needed")
    func off() throws {
        let response = try TestService().exchange(Self.request("GET", "/o/public/a", key: nil))
        #expect(response.status == 404)
    }

    @Test("The log contains path, rule and action, but no URL")
    func log() throws {
        let service = try Self.service()
        _ = try service.exchange(Self.request("GET", "/o/public/a"))
        let line = try #require(service.logLines().first)
        #expect(line.contains(#""key":"public/a""#) && line.contains(#""action":"get""#))
        #expect(line.contains(#""status":307"#) && !line.contains("X-Amz"))
    }
}
