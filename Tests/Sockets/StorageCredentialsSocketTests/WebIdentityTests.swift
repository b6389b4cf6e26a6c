import Foundation
import SocketTestSupport
import Testing

@testable import HTTPClient
@testable import StorageCredentials
@testable import System

@Suite("Requests to STS")
struct WebIdentityTests {
    @Test("STS gets the role and the token as a form; the token is re-read for each fetch")
    func webIdentity() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let endpoint = try FakeEndpoint { _ in [.response(200, FetchedSource.webIdentity.text())] }
        defer { endpoint.stop() }
        var values = FetchedSource.webIdentity.variables(port: endpoint.port, folder: folder)
        values["AWS_ROLE_SESSION_NAME"] = "me@here"
        let source = WebIdentityCredentialSource(CredentialVariables { [values] in values[$0] })
        for (token, sent) in [("ey.1+/=\n", "ey.1%2B%2F%3D"), ("ey.2", "ey.2")] {
            try Data(token.utf8).write(to: folder.appending(path: "token"))
            try expectKey("ASIAFAKE", of: source)
            let request = try #require(endpoint.requests.last)
            #expect(request.method == "POST" && request.target == "/")
            #expect(request.headers["content-type"] == "application/x-www-form-urlencoded")
            #expect(
                request.body == "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
                    + "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fx&RoleSessionName=me%40here"
                    + "&WebIdentityToken=\(sent)")
        }
        for bad in ["", "\n", "a b", "a\nb"] {
            try Data(bad.utf8).write(to: folder.appending(path: "token"))
            #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
        }
        #expect(endpoint.requests.count == 2)
    }

    @Test(
        "The failure contains the STS error code if there is one",
        arguments: [
            ("ExpiredTokenException", true), ("<b/>", false), ("two words", false),
            (String(repeating: "a", count: 65), false),
        ])
    func codes(code: String, isTold: Bool) throws {
        let text =
            "<ErrorResponse xmlns=\"x\"><Error><Code>\(code)</Code><Message>SECRET</Message></Error></ErrorResponse>"
        try FetchedSource.webIdentity.with([.response(400, text)]) { source, _ in
            let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(
                failure?.reason.hasSuffix(
                    isTold ? "it responded with status 400: \(code)" : "it responded with status 400") == true)
        }
    }

    @Test(
        "The STS endpoint depends on the environment, and missing variables are named",
        arguments: [
            (["AWS_REGION": "eu-west-1"], "https sts.eu-west-1.amazonaws.com"),
            (["AWS_DEFAULT_REGION": "cn-north-1"], "https sts.cn-north-1.amazonaws.com.cn"),
            (["AWS_ENDPOINT_URL_STS": "http://127.0.0.1:9/"], "http 127.0.0.1:9"), ([:], nil),
            (["AWS_ENDPOINT_URL_STS": "", "AWS_ENDPOINT_URL": "https://sts.example"], "https sts.example"),
            (["AWS_ENDPOINT_URL_STS": "", "AWS_REGION": "eu-west-1"], "https sts.eu-west-1.amazonaws.com"),
            (["AWS_REGION": "", "AWS_DEFAULT_REGION": "eu-west-1"], "https sts.eu-west-1.amazonaws.com"),
            (["AWS_REGION": "eu-west-1.evil.example/"], nil), (["AWS_ENDPOINT_URL_STS": "sts"], nil),
            (["AWS_ROLE_ARN": "", "AWS_REGION": "eu-west-1"], nil),
            (["AWS_ROLE_SESSION_NAME": "a b", "AWS_REGION": "eu-west-1"], nil),
        ] as [([String: String], String?)])
    func webIdentityPlace(values: [String: String], expected: String?) throws {
        let all = ["AWS_ROLE_ARN": "arn:aws:iam::1:role/x", "AWS_WEB_IDENTITY_TOKEN_FILE": "/t"].merging(values) { $1 }
        let source = WebIdentityCredentialSource(CredentialVariables { all[$0] })
        guard let expected else {
            #expect(throws: CredentialFailure.self) { _ = try source.resolve() }
            return
        }
        guard case .fetched(let fetcher) = try source.resolve(), let found = fetcher as? WebIdentityCredentials else {
            Issue.record("no endpoint")
            return
        }
        #expect("\(found.endpoint.url.isSecure ? "https" : "http") \(found.endpoint.url.authority)" == expected)
    }

    @Test("STS is reached over TLS, with the authorities of AWS_CA_BUNDLE", arguments: [true, false])
    func secureSTS(isTrusted: Bool) throws {
        let certificates = try TestCertificates.shared
        let server = try ServerTLS(
            chain: bytes(of: certificates.server.certificate), key: bytes(of: certificates.server.key))
        let endpoint = try FakeEndpoint(tls: server) { _ in [.response(200, FetchedSource.webIdentity.text())] }
        defer { endpoint.stop() }
        let values = [
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/x", "AWS_WEB_IDENTITY_TOKEN_FILE": "/etc/hostname",
            "AWS_ENDPOINT_URL_STS": "https://localhost:\(endpoint.port)",
            "AWS_CA_BUNDLE": isTrusted ? certificates.servers.certificate : certificates.clients.certificate,
        ]
        let source = WebIdentityCredentialSource(CredentialVariables { values[$0] }, timeout: .seconds(20))
        if isTrusted {
            try expectKey("ASIAFAKE", of: source)
        } else {
            let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
            #expect(failure?.reason.contains("TLS: ") == true && endpoint.requests.isEmpty)
        }
    }

    @Test("Plain HTTP to STS is limited to this machine")
    func plainSTS() throws {
        let values = [
            "AWS_ROLE_ARN": "arn:aws:iam::1:role/x", "AWS_WEB_IDENTITY_TOKEN_FILE": "/etc/hostname",
            "AWS_ENDPOINT_URL_STS": "http://192.0.2.1/",
        ]
        let source = WebIdentityCredentialSource(CredentialVariables { values[$0] })
        let failure = #expect(throws: CredentialFailure.self) { _ = try source.credentials() }
        #expect(failure?.reason.contains("not allowed") == true)
    }
}
