import HTTPServerTestSupport
import SocketTestSupport
import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import PresignService
@testable import PresignServiceTestSupport

@Suite("Host names of requests to a service with the embedded storage")
struct AllowedHostTests {
    private static func yaml(isLocal: Bool = true, cors: String = #"["https://app.example.com", "*"]"#) -> String {
        var configuration = SampleConfiguration(guest: true, cors: "{origins: \(cors)}", links: true, page: true)
        configuration.limits = "{}"
        return configuration.yaml + (isLocal ? "\nlocal: {directory: data}" : "")
    }

    private static func request(_ line: String, host: String?) -> String {
        "\(line) HTTP/1.\(host == nil ? 0 : 1)\r\n\(host.map { "Host: \($0)\r\n" } ?? "")\r\n"
    }

    @Test(
        "Every route refuses another host",
        arguments: [
            "GET /", "GET /presign.js", "GET /healthz", "GET /readyz", "GET /metrics", "GET /openapi.yaml",
            "GET /permissions?path=public/a", "GET /o/public/a", "POST /presign", "POST /presign/batch", "OPTIONS *",
            "OPTIONS /presign", "GET /elsewhere", "PUT /presign",
        ])
    func everyRoute(line: String) throws {
        let service = try TestService(Self.yaml())
        let response = try service.exchange(Self.request(line, host: "dev.example:8080"))
        let problem = try response.problem()
        #expect(response.status == 421 && problem.code == "misdirected-request")
        #expect(problem.recoverySuggestion?.contains(#"cors: {origins: ["http://dev.example:8080"]}"#) == true)
        #expect(try service.exchange(Self.request(line, host: "localhost")).status != 421)
        let other = try TestService(Self.yaml(isLocal: false))
        #expect(try other.exchange(Self.request(line, host: "dev.example:8080")).status != 421)
    }

    @Test(
        "The error has the line for the configuration, if the name can be an origin",
        arguments: [("dev.example:80", "http://dev.example"), ("127.1", nil)] as [(String, String?)])
    func suggestion(host: String, origin: String?) throws {
        let response = try TestService(Self.yaml()).exchange(Self.request("GET /healthz", host: host))
        let line = origin.map {
            ", or add the name to the configuration: `cors: {origins: [\"\($0)\"]}`; without a file, start with "
                + "`--cors-origin \($0)`"
        }
        #expect(try response.problem().recoverySuggestion == "Use localhost or an IP address\(line ?? "").")
    }

    @Test(
        "The names of `cors.origins` and `publicEndpoint` are allowed, and requests without Host",
        arguments: [
            ("GET /healthz", "app.example.com", 200), ("GET /healthz", "files.example.com:8080", 200),
            ("GET /healthz", nil, 200), ("HEAD /healthz", "dev.example", 421),
            ("GET http://dev.example/healthz", "localhost", 421), ("GET http://localhost/healthz", "dev.example", 200),
            ("GET /healthz", "presign.test", 421),
        ])
    func hosts(line: String, host: String?, status: Int) throws {
        let response = try TestService(Self.yaml())
            .exchange(Self.request(line, host: host), omitsBody: line.hasPrefix("HEAD"))
        #expect(response.status == status)
    }

    @Test("A reload changes the names")
    func reload() throws {
        let service = try TestService(Self.yaml())
        let request = Self.request("GET /healthz", host: "dev.example")
        #expect(try service.exchange(request).status == 421)
        try service.reload(Self.yaml(cors: #"["http://dev.example"]"#))
        #expect(try service.exchange(request).status == 200)
    }

    @Test("The body of a refused request is discarded, and the connection stays open")
    func connection() throws {
        let service = try TestService(Self.yaml())
        let client = service.connect()
        client.send(presignRequest(#"{"path":"public/a"}"#) + Self.request("GET /healthz", host: "localhost"))
        #expect(try client.response()?.status == 421)
        #expect(try client.response()?.status == 200)
    }

    @Test("The separate address of the metrics refuses another host too")
    func metrics() throws {
        let configuration = try ServiceConfiguration(parsing: Array(Self.yaml().utf8), file: "live.yaml")
        let service = Service(
            try ServiceSnapshot(configuration, environment: { SampleConfiguration.environment[$0] }, read: { _ in [] }),
            existence: ExistenceCheck { _, _, _ in }, requestLog: nil, requestIDStart: "live")
        var handler: any HTTPHandler = service.makeHandler(loop: 0, offersOnlyMetrics: true)
        for (host, status) in [("dev.example", 421), ("localhost", 404)] {
            let head = HTTPRequest(path: Array("/other".utf8)[...], headers: HTTPHeaders([("host", host)]))
            guard case .refuse(let response) = handler.body(for: head) else {
                Issue.record("not refused")
                continue
            }
            #expect(response.status == status)
        }
    }
}
