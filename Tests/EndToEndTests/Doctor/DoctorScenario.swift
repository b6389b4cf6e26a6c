import Foundation
import Testing

/// `presign doctor` with a configuration whose rules rely on everything that it checks.
struct DoctorScenario: Sendable {
    /// A line of `--json`.
    struct Finding: Decodable, Sendable {
        struct Reliance: Decodable, Sendable {
            let rule: String
            let line: Int
        }

        let check: String
        var origin: String?
        let result: String
        let detail: String
        let reliedOnBy: [Reliance]
    }

    let configuration: URL
    let environment: [String: String]
    /// The command's prefix, of this scenario only.
    let prefix = "doctor-\(UUID().uuidString)/"

    private static let rules = """
        auth: {guest: true}
        limits: {perGuest: 60/m}
        cors: {origins: ["https://app.example"]}
        rules:
          - path: uploads/**
            allow: {everyone: [read, write, delete, multipart]}
            write: {types: [image/*], maxSize: 100m, checksum: sha256, overwrite: false, set: {metadata: {a: b}}}
            multipart: {partSize: 64m}
          - path: lax/**
            allow: {everyone: [multipart]}
        """
    /// The line of `uploads/**`.
    static let strictLine = 7

    /// Runs the body with a configuration for the store.
    static func run<Value: Sendable>(
        store: [String: String], environment: [String: String], _ body: (DoctorScenario) async throws -> Value
    ) async throws -> Value {
        try await ConcurrencyLimit.tests.pass {
            try await withTemporaryDirectory { folder in
                let file = folder.appending(path: "presign.yaml")
                let settings = try JSONSerialization.data(withJSONObject: store, options: [.withoutEscapingSlashes])
                let yaml = "version: 1\nstores: {main: \(String(decoding: settings, as: UTF8.self))}\n\(rules)\n"
                try Data(yaml.utf8).write(to: file)
                return try await body(DoctorScenario(configuration: file, environment: environment))
            }
        }
    }

    /// Runs the body with a server of the tests.
    static func run<Value: Sendable>(
        on kind: StorageKind, bucket: String? = nil, environment: [String: String]? = nil,
        _ body: (DoctorScenario) async throws -> Value
    ) async throws -> Value {
        let server = try kind.server
        return try await run(
            store: [
                "bucket": try bucket ?? server.setting("BUCKET"), "region": try server.setting("REGION"),
                "endpoint": try server.setting("ENDPOINT"),
            ], environment: try environment ?? server.credentials, body)
    }

    /// Signs a URL for an object below the prefix, and sends a request with it.
    func send(_ method: String, _ name: String, _ text: String) async throws -> HTTP.Response {
        let url = try await Command.run(
            try #require(PresignProcess.binary), ["url", method, prefix + name, "--config", configuration.path()],
            environment: environment)
        try #require(url.status == 0, "\(url)")
        return try await HTTP.send(method, url.output.trimmingCharacters(in: .newlines), body: Data(text.utf8))
    }

    var arguments: [String] { ["doctor", "--config", configuration.path(), "--prefix", prefix] }

    func doctor(_ options: [String] = []) async throws -> Command.Result {
        try await Command.run(try #require(PresignProcess.binary), arguments + options, environment: environment)
    }

    /// Runs the command with `--json` and returns its findings by check, the first of each.
    func findings(status: Int32, _ options: [String] = []) async throws -> [String: Finding] {
        let findings = try await allFindings(status: status, options)
        return Dictionary(findings.map { ($0.check, $0) }) { first, _ in first }
    }

    /// Runs the command with `--json` and returns its findings in order.
    func allFindings(status: Int32, _ options: [String] = []) async throws -> [Finding] {
        let result = try await doctor(options + ["--json"])
        #expect(result.status == status, "\(result)")
        let lines = result.output.split(separator: "\n")
        return try lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
    }
}
