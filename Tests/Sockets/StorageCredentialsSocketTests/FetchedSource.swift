import Foundation
import SocketTestSupport
import Testing

@testable import Presigning
@testable import StorageCredentials

/// The sources that fetch credentials, each with a fake endpoint, so that their common behaviour is tested once.
enum FetchedSource: String, CaseIterable, Sendable {
    case container, imds, webIdentity, process

    /// A credentials document in the format of each source.
    struct Document: Sendable {
        var id: String? = "ASIAFAKE"
        var secret: String? = FetchedSource.secret
        var token: String? = FetchedSource.token
        var expiration: String? = "2100-01-01T00:00:00Z"
        /// IMDS: `Code`; processes: `Version`.
        var kind: String?
    }

    static let secret = "SECRET/of+the=fake"
    static let token = "TOKEN/of+the=fake"
    static let imdsToken = "imds-session-token"

    /// The sources that use HTTP.
    static let overHTTP: [Self] = [.container, .imds, .webIdentity]

    func text(_ document: Document = Document()) -> String {
        switch self {
        case .webIdentity:
            let members = [
                ("AccessKeyId", document.id), ("SecretAccessKey", document.secret), ("SessionToken", document.token),
                ("Expiration", document.expiration),
            ].map { name, value in value.map { "<\(name)>\($0)</\(name)>" } ?? "" }
            return "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
                + "<AssumeRoleWithWebIdentityResult><Audience>sts</Audience><Credentials>\(members.joined())</Credentials>"
                + "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
        default:
            var members = [
                ("AccessKeyId", document.id), ("SecretAccessKey", document.secret),
                (self == .process ? "SessionToken" : "Token", document.token), ("Expiration", document.expiration),
            ].compactMap { name, value in value.map { "\"\(name)\":\"\($0)\"" } }
            if self == .imds { members.append("\"Code\":\"\(document.kind ?? "Success")\"") }
            if self == .process { members.append("\"Version\":\(document.kind ?? "1")") }
            return "{\(members.joined(separator: ","))}"
        }
    }

    /// The script of a fake that serves the document by these steps, after valid responses to earlier requests.
    func script(_ steps: @escaping @Sendable (FakeEndpoint.Request) -> [FakeEndpoint.Step]) -> FakeEndpoint.Script {
        { request in
            guard self == .imds else { return steps(request) }
            switch (request.method, request.target) {
            case ("PUT", "/latest/api/token"): return [.response(200, Self.imdsToken)]
            case ("GET", "/latest/meta-data/iam/security-credentials/"): return [.response(200, "the-role\n")]
            default: return steps(request)
            }
        }
    }

    /// Runs the body with the source and a fake that serves the document by these steps.
    ///
    /// - Parameter steps: For a process, their text is the whole output.
    func with(
        _ steps: [FakeEndpoint.Step], timeout: Duration = .seconds(10),
        _ body: (any CredentialSource, FakeEndpoint?) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        guard self != .process else { return try body(try process(in: folder, steps), nil) }
        let endpoint = try FakeEndpoint(script { _ in steps })
        defer { endpoint.stop() }
        try Data("web-identity-token".utf8).write(to: folder.appending(path: "token"))
        let values = variables(port: endpoint.port, folder: folder)
        let variables = CredentialVariables { values[$0] }
        let source: any CredentialSource =
            switch self {
            case .container: ContainerCredentialSource(variables, timeout: timeout)
            case .imds: InstanceCredentialSource(variables, timeout: timeout)
            default: WebIdentityCredentialSource(variables, timeout: timeout)
            }
        return try body(source, endpoint)
    }

    /// The environment that points to a fake on this port.
    func variables(port: UInt16, folder: URL) -> [String: String] {
        let token = folder.appending(path: "token").path()
        return switch self {
        case .container:
            [
                "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(port)/v1/credentials",
                "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": token,
            ]
        case .imds: ["AWS_EC2_METADATA_SERVICE_ENDPOINT": "http://127.0.0.1:\(port)"]
        case .webIdentity:
            [
                "AWS_ROLE_ARN": "arn:aws:iam::123456789012:role/x", "AWS_WEB_IDENTITY_TOKEN_FILE": token,
                "AWS_ENDPOINT_URL_STS": "http://127.0.0.1:\(port)",
            ]
        case .process: [:]
        }
    }

    private func process(in folder: URL, _ steps: [FakeEndpoint.Step]) throws -> any CredentialSource {
        let text = steps.map { step in if case .send(let text) = step { text } else { "" } }.joined()
        let (output, configuration) = (folder.appending(path: "output"), folder.appending(path: "config"))
        try Data(text.utf8).write(to: output)
        try Data("[default]\ncredential_process = /bin/cat '\(output.path())'\n".utf8).write(to: configuration)
        let values = ["AWS_CONFIG_FILE": configuration.path(), "AWS_SHARED_CREDENTIALS_FILE": "/nonexistent"]
        return SharedFilesCredentialSource(CredentialVariables { values[$0] }, profile: nil)
    }

    /// The steps that deliver a text correctly.
    func delivery(_ text: String) -> [FakeEndpoint.Step] { self == .process ? [.send(text)] : [.response(200, text)] }
}

/// Fetches from a source and expects this access key id; nil: no credentials.
func expectKey(_ expected: String?, of source: some CredentialSource) throws {
    let found = try source.credentials()
    #expect(found?.accessKeyID == expected)
}
