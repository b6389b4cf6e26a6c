import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// `presign serve` with credentials fetched from a container endpoint that the test controls.
@Suite("Fetching credentials while the service runs", .enabled(if: PresignProcess.binary != nil))
struct CredentialTests {
    private static let store = ["bucket": "acme-media", "region": "eu-west-1", "default": "true"]

    /// A container's response with keys that are valid for this time; the key's id contains the time of issue.
    private static func document(life: Double) -> String {
        let now = Date()
        let end = ISO8601DateFormatter().string(from: now.addingTimeInterval(life))
        return #"{"RoleArn":"r","AccessKeyId":"ASIA\#(Int(now.timeIntervalSince1970 * 1000))","#
            + #""SecretAccessKey":"s3cret/of+the=endpoint","Token":"tok/of+the=endpoint","Expiration":"\#(end)"}"#
    }

    private static func serving(
        _ variables: [String: String], minRemaining: String = "0s", _ body: (PresignProcess) async throws -> Void
    ) async throws {
        let off = ["AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"]
        try await ConcurrencyLimit.tests.pass {
            try await PresignProcess.serving(
                store: store, environment: variables.merging(off) { given, _ in given },
                sections: "aws: {minRemaining: \(minRemaining)}"
            ) { service in
                try await body(service)
                let log = try service.diagnostics()
                #expect(!log.contains("s3cret") && !log.contains("tok/of"), "\(log)")
            }
        }
    }

    private static func container(_ endpoint: FakeEndpoint) -> [String: String] {
        ["AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:\(endpoint.port)/v1/credentials"]
    }

    @Test("Keys with a lifetime of seconds are renewed in time: no request fails, and none is signed with expired keys")
    func rotation() async throws {
        let endpoint = try FakeEndpoint { _ in [.response(200, Self.document(life: 4))] }
        defer { endpoint.stop() }
        try await Self.serving(Self.container(endpoint)) { service in
            try await service.becomes(ready: true)
            var keys: Set<String> = []
            let isRotated = try await eventually(within: .seconds(60)) {
                let response = try await service.sign()
                try #require(response.status == 200, "\(response.text)")
                let signed = try Signed(response)
                keys.insert(signed.accessKeyID)
                #expect(1...4 ~= signed.expiresIn && signed.limitedBy == "credentials")
                return keys.count >= 4
            }
            #expect(isRotated, "\(keys.count)")
            #expect(try service.diagnostics().contains(#""event":"credentials""#))
        }
    }

    @Test("The service recovers from an outage of the endpoint that is longer than the keys' lifetime")
    func outage() async throws {
        let endpoint = try FakeEndpoint { _ in [.response(200, Self.document(life: 6))] }
        try await Self.serving(Self.container(endpoint), minRemaining: "1s") { service in
            try await service.becomes(ready: true)
            endpoint.stop()
            // The old keys are used until they expire and no longer.
            #expect(try await service.sign().status == 200)
            try await service.becomes(ready: false)
            let refused = try await service.sign()
            #expect(refused.status == 503 && refused.text.contains("credentials-unavailable"))
            let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
            #expect(1...60 ~= wait)
            #expect(try await service.get("/healthz").status == 200)
            let again = try FakeEndpoint(port: endpoint.port) { _ in [.response(200, Self.document(life: 3600))] }
            defer { again.stop() }
            try await service.becomes(ready: true, within: 70)
            #expect(try Signed(try await service.sign()).limitedBy == "credentials")
            let failures = try service.diagnostics().split(separator: "\n").filter { $0.contains("credentials-failed") }
            #expect(1...2 ~= failures.count, "\(failures)")
        }
    }

    @Test("A silent endpoint delays neither start nor stop")
    func silent() async throws {
        let endpoint = try FakeEndpoint { _ in [.hang] }
        defer { endpoint.stop() }
        try await Self.serving(Self.container(endpoint)) { service in
            #expect(try await service.get("/healthz").status == 200)
            #expect(try await service.get("/readyz").status == 503)
            #expect(try await service.sign().status == 503)
            endpoint.change { _ in [.response(200, Self.document(life: 3600))] }
            try await service.becomes(ready: true)
        }
    }

    @Test("A reload keeps the fetched credentials without a new request")
    func reload() async throws {
        let endpoint = try FakeEndpoint { _ in [.response(200, Self.document(life: 3600))] }
        defer { endpoint.stop() }
        try await Self.serving(Self.container(endpoint)) { service in
            try await service.becomes(ready: true)
            let key = try Signed(try await service.sign()).accessKeyID
            let text = try String(contentsOf: service.configuration, encoding: .utf8)
            try Data((text + "\ncors: {maxAge: 1h}\n").utf8).write(to: service.configuration)
            try await service.logs(#""event":"reloaded""#)
            #expect(try Signed(try await service.sign()).accessKeyID == key && endpoint.requests.count == 1)
            // SIGHUP refreshes the credentials too.
            #expect(kill(service.identifier, SIGHUP) == 0)
            try await service.settles { try Signed(try await service.sign()).accessKeyID != key }
        }
    }

    @Test("A changed credentials file is read again, even while the configuration is invalid")
    func files() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "credentials")
            let write = { (id: String) in
                try Data("[default]\naws_access_key_id=\(id)\naws_secret_access_key=s3cret\n".utf8).write(
                    to: file, options: .atomic)
            }
            try write("AKIDBEFORE")
            try await Self.serving(["AWS_SHARED_CREDENTIALS_FILE": file.path()]) { service in
                #expect(try Signed(try await service.sign()).accessKeyID == "AKIDBEFORE")
                try Data("nonsense".utf8).write(to: service.configuration)
                try write("AKIDAFTER")
                try await service.settles { try Signed(try await service.sign()).accessKeyID == "AKIDAFTER" }
                try Data("[default]\naws_access_key_id=AKIDHALF\n".utf8).write(to: file)
                try await service.logs("must set both")
                #expect(try Signed(try await service.sign()).accessKeyID == "AKIDAFTER")
            }
        }
    }

    @Test("A stop ends a credential process that is still running")
    func stoppedProgram() async throws {
        try await withTemporaryDirectory { folder in
            let (number, program) = (folder.appending(path: "number"), folder.appending(path: "program"))
            let configuration = folder.appending(path: "config")
            try Data("echo $$ > \(number.path())\nexec sleep 60\n".utf8).write(to: program)
            try Data("[default]\ncredential_process = /bin/sh \(program.path())\n".utf8).write(to: configuration)
            try await Self.serving(["AWS_CONFIG_FILE": configuration.path()]) { service in
                let identifier = { () -> pid_t? in
                    let text = try? String(contentsOf: number, encoding: .utf8)
                    return text.flatMap { pid_t($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
                }
                try await service.settles { identifier() != nil }
                let child = try #require(identifier())
                #expect(kill(child, 0) == 0)
                #expect(kill(service.identifier, SIGTERM) == 0)
                // Its entry stays until the process with number 1 has noticed the end.
                try await service.settles {
                    let state = try? String(contentsOfFile: "/proc/\(child)/stat", encoding: .utf8)
                    return state?.contains(") Z ") ?? true
                }
            }
        }
    }

    @Test("presign url uses the same sources and reports failures")
    func offline() async throws {
        let endpoint = try FakeEndpoint { _ in [.response(200, Self.document(life: 3600))] }
        let binary = try #require(PresignProcess.binary)
        let place = ["a.txt", "--bucket", "acme-media", "--region", "eu-west-1"]
        let variables = Self.container(endpoint).merging(["AWS_EC2_METADATA_DISABLED": "true"]) { $1 }
        let good = try await Command.run(binary, ["url"] + place, environment: variables)
        #expect(good.status == 0 && good.output.contains("X-Amz-Credential=ASIA"), "\(good.errors)")
        #expect(endpoint.requests.count == 1)
        endpoint.stop()
        let bad = try await Command.run(binary, ["url"] + place, environment: variables)
        #expect(bad.status == 78 && bad.errors.split(separator: "\n").count == 1, "\(bad.errors)")
        #expect(bad.errors.contains("container: 127.0.0.1:\(endpoint.port): cannot connect"), "\(bad.errors)")
        let none = try await Command.run(
            binary, ["url"] + place, environment: ["AWS_EC2_METADATA_DISABLED": "true", "HOME": "/nonexistent"])
        #expect(none.status == 78 && none.errors.contains("credentials: not found"), "\(none.errors)")
    }

    @Test(
        "URLs of presign url expire with a profile's session, or cause a warning if its expiration is unknown",
        arguments: [true, false])
    func profileSession(_ isKnown: Bool) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "credentials")
            let end = ISO8601DateFormatter().string(from: Date().addingTimeInterval(900))
            let text = """
                [dev]
                aws_access_key_id = AKID
                aws_secret_access_key = s3cret
                aws_session_token = t0ken
                \(isKnown ? "x_security_token_expires = \(end)" : "")

                """
            try Data(text.utf8).write(to: file)
            let run = try await Command.run(
                try #require(PresignProcess.binary),
                ["url", "a.txt", "--bucket", "acme-media", "--region", "eu-west-1", "--expires-in", "7d"],
                environment: ["AWS_SHARED_CREDENTIALS_FILE": file.path(), "AWS_PROFILE": "dev"])
            #expect(run.status == 0)
            #expect(run.output.contains("X-Amz-Expires=604800") != isKnown, "\(run.output)")
            #expect(run.errors.contains("warning: the credentials from profile dev") != isKnown, "\(run.errors)")
            #expect(run.errors.isEmpty == isKnown)
        }
    }
}

/// The parts of a response that depend on the credentials.
private struct Signed {
    let accessKeyID: String
    let expiresIn: Int
    let limitedBy: String?

    init(_ response: HTTP.Response) throws {
        struct Body: Decodable { let url: String, expiresIn: Int, limitedBy: String? }
        try #require(response.status == 200, "\(response.text)")
        let body = try JSONDecoder().decode(Body.self, from: response.body)
        let credential = try #require(body.url.firstMatch(of: /X-Amz-Credential=([A-Z0-9]+)%2F/))
        (accessKeyID, expiresIn, limitedBy) = (String(credential.1), body.expiresIn, body.limitedBy)
    }
}

extension PresignProcess {
    fileprivate func sign() async throws -> HTTP.Response {
        try await HTTP.send(
            "POST", "http://\(address)/presign",
            headers: ["X-API-Key": apiKey, "Content-Type": "application/json"], body: Data(#"{"path":"a/b"}"#.utf8))
    }

    fileprivate func get(_ path: String) async throws -> HTTP.Response {
        try await HTTP.send("GET", "http://\(address)\(path)")
    }

    fileprivate func diagnostics() throws -> String { try String(contentsOf: log, encoding: .utf8) }

    fileprivate func becomes(ready: Bool, within seconds: Int = 60) async throws {
        try await settles(within: seconds) { try await get("/readyz").status == (ready ? 200 : 503) }
    }

    fileprivate func logs(_ text: String) async throws {
        try await settles { try diagnostics().contains(text) }
    }

    fileprivate func settles(within seconds: Int = 60, _ isReached: () async throws -> Bool) async throws {
        let isReached = try await eventually(within: .seconds(seconds), isReached)
        let log = try diagnostics()
        try #require(isReached, "\(log)")
    }
}
