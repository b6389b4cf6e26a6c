import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// PyIceberg as it is, with a catalog in a file: the service signs each of its requests to the storage.
@Suite("Apache Iceberg tables without credentials", .realParts, .icebergClient)
struct IcebergTests {
    /// The task page runs on the local storage in every run.
    private static let kinds = StorageKind.atLeast(.seaweedfs).filter { $0 != .swift }

    @Test("PyIceberg creates, appends, scans, deletes, overwrites, changes the schema and purges", arguments: kinds)
    func tables(kind: StorageKind) async throws {
        try await Self.run(on: kind, appends: isLongRun ? 20 : 1)
    }

    @Test("PyIceberg behind a proxy that terminates TLS before the storage")
    func secure() async throws {
        let local = try #require(StorageKind.present.first { $0 == .local }, "needs PRESIGN_E2E_LOCAL")
        let storage = try local.server.setting("ENDPOINT")
        let location = "location / { proxy_pass \(storage); proxy_set_header Host $http_host; }"
        try await Nginx.run(isSecure: true, location: location) { port, folder in
            let (address, certificate) = ("https://127.0.0.1:\(port)", folder.appending(path: "certificate").path())
            // Over TLS the AWS SDK would send uploads in chunks, which are not signed.
            let environment = [
                "AWS_CA_BUNDLE": certificate, "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required",
            ]
            try await Self.run(
                on: local, appends: isLongRun ? 20 : 1, store: ["publicEndpoint": address], environment: environment)
        }
    }

    @Test("Over TLS without the setting, the error names it")
    func chunks() async throws {
        let local = try #require(StorageKind.present.first { $0 == .local }, "needs PRESIGN_E2E_LOCAL")
        try await Scenario.run(on: local, store: IcebergScenario.store) { scenario in
            let response = try await scenario.sign(
                "PUT", "wh/a", ["x-amz-content-sha256": "STREAMING-UNSIGNED-PAYLOAD-TRAILER"])
            #expect(response.status == 400 && response.text.contains("AWS_REQUEST_CHECKSUM_CALCULATION=when_required"))
        }
    }

    private static func run(
        on kind: StorageKind, appends: Int, store: [String: String] = [:], environment: [String: String] = [:]
    ) async throws {
        try await withTemporaryDirectory { folder in
            let secret = String(repeating: "secret", count: 8)
            let file = folder.appending(path: "secret")
            try Data(secret.utf8).write(to: file)
            let issuer = "jwt: [{name: t, issuer: t, audience: p, algorithms: [HS256], secretFile: \(file.path())}]"
            let rule =
                #"{path: "*/wh/**", allow: {caller:tester: [read, write, delete, multipart], authenticated: [read]}}"#
            let settings = IcebergScenario.store.merging(store) { $1 }
            try await Scenario.run(on: kind, store: settings, auth: issuer, rules: [rule]) { scenario in
                let storage = scenario.storage
                let end = Int(Date().timeIntervalSince1970) + 3600
                let reader = TokenSigner.secret(Array(secret.utf8)).token(
                    "HS256", header: #"{"alg":"HS256"}"#, claims: #"{"iss":"t","aud":"p","sub":"reader","exp":\#(end)}"#
                )
                let names = [
                    "PRESIGN_KEY": scenario.service.apiKey, "READER_KEY": reader, "PYICEBERG_MAX_WORKERS": "1",
                    "HOME": folder.path(),
                ]
                let run = try await Command.run(
                    IcebergScenario.python ?? "",
                    [
                        Python.script("iceberg_tables"), "http://\(scenario.service.address)/iceberg/main/sign",
                        try store["publicEndpoint"] ?? storage.setting("ENDPOINT"), try storage.setting("BUCKET"),
                        try storage.setting("REGION"), scenario.prefix + "wh", folder.path(), "\(appends)",
                    ], environment: names.merging(environment) { $1 })
                #expect(run.output == "a reader cannot write\npurged\n", "\(run.output)\(run.errors.suffix(3000))")
                #expect(run.status == 0)
                let left = try await storage.keys(under: scenario.prefix)
                #expect(left.isEmpty, "\(left)")
            }
        }
    }
}

/// The client, and a store that signs for it.
enum IcebergScenario {
    static let python = ProcessInfo.processInfo.environment["PRESIGN_E2E_SDKS"].map { $0 + "/bin/python" }
    static let store: [String: String] = ["iceberg": "true", "listing": "true"]
}

extension Trait where Self == ConditionTrait {
    /// Python with PyIceberg; `Tests/run.sh` installs it.
    static var icebergClient: Self {
        .enabled(if: IcebergScenario.python != nil, "needs PRESIGN_E2E_SDKS; Tests/run.sh sets it")
    }
}

extension Scenario {
    /// Asks to sign a request for an object below the scenario's prefix, or for another URL.
    func sign(
        _ method: String, _ path: String, _ headers: [String: String] = [:], body: String? = nil,
        members: [String: any Sendable] = [:]
    ) async throws -> HTTP.Response {
        let bucket = try "\(storage.setting("ENDPOINT"))/\(storage.setting("BUCKET"))/"
        var fields: [String: any Sendable] = [
            "method": method, "region": try storage.setting("REGION"),
            "uri": path.contains("://") ? path : path.hasPrefix("?") ? bucket + path : bucket + prefix + path,
            "headers": headers.mapValues { [$0] },
        ]
        fields["body"] = body
        return try await HTTP.send(
            "POST", "http://\(service.address)/iceberg/main/sign",
            headers: ["X-API-Key": service.apiKey, "Content-Type": "application/json"],
            body: try JSONSerialization.data(withJSONObject: fields.merging(members) { $1 }))
    }
}
