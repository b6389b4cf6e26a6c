import Foundation
import SocketTestSupport
import Testing

@testable import HTTPClient
@testable import Presigning
@testable import StorageCredentials
@testable import System

@Suite("Endpoints and requests of credential sources")
struct EndpointSourceTests {
    /// A container source with this environment.
    private static func container(_ values: [String: String]) -> ContainerCredentialSource {
        ContainerCredentialSource(CredentialVariables { values[$0] })
    }

    @Test(
        "A plain HTTP endpoint of a container must be on this machine or one of the three AWS addresses",
        arguments: [
            ("http://127.0.0.1/", true), ("http://127.255.0.9:1/x", true), ("http://[::1]/", true),
            ("http://169.254.170.2/", true), ("http://169.254.170.23/v1/credentials", true),
            ("http://[fd00:ec2::23]/", true), ("http://[::ffff:127.0.0.1]/", true), ("http://localhost/", true),
            ("http://169.254.169.254/", false), ("http://169.254.170.3/", false), ("http://10.0.0.1/", false),
            ("http://[fd00:ec2::254]/", false), ("http://[::ffff:10.0.0.1]/", false), ("http://0.0.0.0/", false),
            ("http://128.0.0.1/", false), ("ftp://127.0.0.1/", false), ("http://127.0.0.1@10.0.0.1/", false),
        ])
    func hosts(url: String, isAllowed: Bool) throws {
        let source = Self.container(["AWS_CONTAINER_CREDENTIALS_FULL_URI": url])
        if isAllowed {
            #expect(try source.resolve() != nil)
        } else {
            #expect(throws: CredentialFailure.self) { _ = try source.resolve() }
        }
    }

    @Test(
        "The relative path takes precedence and must be one",
        arguments: [("/v2/x", true), ("evil.example/", false), (":80/", false), ("@evil/", false)])
    func relative(path: String, isAllowed: Bool) throws {
        let source = Self.container([
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": path, "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://10.0.0.1/",
        ])
        if isAllowed {
            guard case .fetched(let fetcher) = try source.resolve(), let found = fetcher as? ContainerCredentials else {
                Issue.record("no endpoint")
                return
            }
            #expect(found.endpoint.url.authority == "169.254.170.2" && found.endpoint.url.target == path)
        } else {
            #expect(throws: CredentialFailure.self) { _ = try source.resolve() }
        }
    }

    @Test("All addresses of a name must satisfy the rule")
    func resolved() throws {
        for address in [PeerAddress.ipv4(0x7F00_0001), .ipv6(0, 1), .ipv4(0xA9FE_AA17)] {
            #expect(ContainerHosts.allow(address))
        }
        #expect(!ContainerHosts.allow(.ipv4(0x0A00_0001)) && !ContainerHosts.allow(.unix))
        let endpoint = try FakeEndpoint { _ in [.response(200, FetchedSource.container.text())] }
        defer { endpoint.stop() }
        let source = Self.container(["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://localhost:\(endpoint.port)/x"])
        try expectKey("ASIAFAKE", of: source)
        guard case .fetched(let fetcher) = try source.resolve(), let found = fetcher as? ContainerCredentials else {
            Issue.record("no endpoint")
            return
        }
        var strict = found.endpoint
        strict.allows = { _ in false }
        let failure = #expect(throws: CredentialFailure.self) {
            _ = try ContainerCredentials(endpoint: strict, tokenFile: nil, token: nil).fetch()
        }
        #expect(failure?.reason.contains("not allowed") == true && endpoint.requests.count == 1)
    }

    @Test("The container's token is sent unchanged, re-read for each fetch, and the file takes precedence")
    func tokens() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "token")
        let endpoint = try FakeEndpoint { _ in [.response(200, FetchedSource.container.text())] }
        defer { endpoint.stop() }
        var values = FetchedSource.container.variables(port: endpoint.port, folder: folder)
        values["AWS_CONTAINER_AUTHORIZATION_TOKEN"] = "of the variable"
        let source = Self.container(values)
        for token in ["Bearer eyJ.first", "second"] {
            try Data(token.utf8).write(to: file)
            _ = try source.credentials()
            #expect(endpoint.requests.last?.headers["authorization"] == token)
        }
        #expect(endpoint.requests.last?.target == "/v1/credentials")
        #expect(endpoint.requests.last?.headers["accept"] == "application/json")
        for bad in ["line\n", "a\r\nX-Evil: y", "", "é"] {
            try Data(bad.utf8).write(to: file)
            let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(failure?.description.contains("Evil") == false && failure?.isAbsence == false)
        }
        try FileManager.default.removeItem(at: file)
        #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
        #expect(endpoint.requests.count == 2)
        values["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] = nil
        _ = try Self.container(values).credentials()
        #expect(endpoint.requests.last?.headers["authorization"] == "of the variable")
    }

    /// The scripted steps of an instance metadata service for each request.
    private static func instance(
        token: FakeEndpoint.Step = .response(200, FetchedSource.imdsToken),
        role: FakeEndpoint.Step = .response(200, "the-role"),
        endsChain: Bool = false, timeout: Duration = .seconds(10), path: String = "",
        _ body: (InstanceCredentialSource, FakeEndpoint) throws -> Void
    ) throws {
        let endpoint = try FakeEndpoint { request in
            switch (request.method, request.target) {
            case ("PUT", path + "/latest/api/token"): return [token]
            case ("GET", path + "/latest/meta-data/iam/security-credentials/"): return [role]
            case ("GET", path + "/latest/meta-data/iam/security-credentials/the-role"):
                return [.response(200, FetchedSource.imds.text())]
            default: return [.response(404)]
            }
        }
        defer { endpoint.stop() }
        let values = ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(endpoint.port)\(path)"]
        try body(
            InstanceCredentialSource(
                CredentialVariables { values[$0] }, endsChain: endsChain, timeout: timeout),
            endpoint)
    }

    @Test("The instance source requests a token, the role, and the role's credentials", arguments: ["", "/base"])
    func instance(path: String) throws {
        try Self.instance(path: path) { source, endpoint in
            try expectKey("ASIAFAKE", of: source)
            #expect(endpoint.requests.map(\.method) == ["PUT", "GET", "GET"])
            #expect(endpoint.requests[0].headers["x-aws-ec2-metadata-token-ttl-seconds"] == "21600")
            for request in endpoint.requests.dropFirst() {
                #expect(request.headers["x-aws-ec2-metadata-token"] == FetchedSource.imdsToken)
            }
        }
    }

    @Test(
        "Without a token the source fails; IMDSv1 is never used",
        arguments: [403, 404, 400, 500, 301], [true, false])
    func noFallback(status: Int, endsChain: Bool) throws {
        try Self.instance(token: .response(status), endsChain: endsChain) { source, endpoint in
            let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(failure?.reason.contains("enable IMDSv2") == true)
            let mend = "no other source is configured: outside EC2, set AWS_ACCESS_KEY_ID"
            #expect(failure?.reason.contains(mend) == endsChain)
            #expect(endpoint.requests.map(\.method) == ["PUT"])
        }
    }

    @Test("Invalid tokens and roles are failures", arguments: ["", "a b", "a\r\nb: c", "é", "\u{1}"])
    func badTexts(text: String) throws {
        try Self.instance(token: .response(200, text)) { source, endpoint in
            #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(endpoint.requests.count == 1)
        }
        guard text != "a\r\nb: c" else { return }
        try Self.instance(role: .response(200, text)) { source, endpoint in
            #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(endpoint.requests.count == 2)
        }
    }

    @Test("At the end of the chain, no service and no role mean no credentials; anything else is a failure")
    func absence() throws {
        try Self.instance(role: .response(404), endsChain: true) { source, _ in try expectKey(nil, of: source) }
        try Self.instance(role: .response(404)) { source, _ in
            #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
        }
        try Self.instance(token: .hang, endsChain: true, timeout: .milliseconds(300)) { source, _ in
            try expectKey(nil, of: source)
        }
        try Self.instance(role: .response(500), endsChain: true) { source, _ in
            #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
        }
    }

    @Test(
        "The endpoint of the instance metadata service is configurable",
        arguments: [
            ([:], "169.254.169.254"), (["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv4"], "169.254.169.254"),
            (["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "ipv6"], "[fd00:ec2::254]"),
            (
                [
                    "AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "IPv6",
                    "AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:9",
                ], "127.0.0.1:9"
            ),
            (["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE": "v6"], nil), (["AWS_EC2_METADATA_SERVICE_ENDPOINT": "x"], nil),
            (["AWS_EC2_METADATA_DISABLED": "true"], "off"), (["AWS_EC2_METADATA_DISABLED": "false"], "169.254.169.254"),
        ] as [([String: String], String?)])
    func instancePlace(values: [String: String], expected: String?) throws {
        let source = InstanceCredentialSource(CredentialVariables { values[$0] })
        guard let expected else {
            #expect(throws: CredentialFailure.self) { _ = try source.resolve() }
            return
        }
        guard case .fetched(let fetcher) = try source.resolve(), let found = fetcher as? InstanceCredentials else {
            #expect(expected == "off")
            return
        }
        #expect(found.endpoint.url.authority == expected)
    }
}
