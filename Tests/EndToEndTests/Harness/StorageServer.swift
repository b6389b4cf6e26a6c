import Foundation
import TestSupport
import Testing

/// The S3 servers and the local storage that `Tests/storage/start.sh` starts. For each, an environment variable names
/// its settings file.
enum StorageKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case seaweedfs = "PRESIGN_E2E_SEAWEEDFS"
    case swift = "PRESIGN_E2E_SWIFT"
    case local = "PRESIGN_E2E_LOCAL"

    /// The servers of this run. A variable that names an invalid file fails the tests instead of skipping them.
    static let present = allCases.filter { ProcessInfo.processInfo.environment[$0.rawValue] != nil }

    /// The kinds for a test whose result hardly depends on the storage: only a long run has all.
    static func atLeast(_ kind: StorageKind) -> [StorageKind] { isLongRun ? present : present.filter { $0 == kind } }

    /// The servers whose bucket has CORS rules; Swift's S3 API has none.
    static let withCORS = present.filter { (try? $0.server)?.origin != nil }

    var testDescription: String { "\(self)" }

    var server: StorageServer { get throws { try StorageServer(settings: rawValue) } }
}

/// The address and the credentials of a running S3 server.
struct StorageServer: Sendable {
    private let settings: [String: String]

    init(settings variable: String) throws {
        let path = try #require(ProcessInfo.processInfo.environment[variable], "\(variable) is not set")
        self.init(lines: try String(contentsOfFile: path, encoding: .utf8))
    }

    /// - Parameter lines: What `Tests/storage/start.sh` prints.
    init(lines: String) {
        var settings: [String: String] = [:]
        for line in lines.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        self.settings = settings
    }

    func setting(_ name: String) throws -> String {
        try #require(settings[name], "the server's settings lack \(name)")
    }

    /// The origin allowed by the bucket's CORS rules; nil if the server has no rules.
    var origin: String? { settings["CORS_ORIGIN"] }

    /// The permanent key, as environment variables of the service.
    var credentials: [String: String] {
        get throws {
            ["AWS_ACCESS_KEY_ID": try setting("ACCESS_KEY"), "AWS_SECRET_ACCESS_KEY": try setting("SECRET")]
        }
    }

    /// Temporary credentials issued by the server's own STS.
    var sessionCredentials: [String: String] {
        get throws {
            [
                "AWS_ACCESS_KEY_ID": try setting("SESSION_ACCESS_KEY"),
                "AWS_SECRET_ACCESS_KEY": try setting("SESSION_SECRET"),
                "AWS_SESSION_TOKEN": try setting("SESSION_TOKEN"),
            ]
        }
    }

    /// The bucket's keys with the prefix, listed with a third-party signer. For the local storage, which does not
    /// support listing, they are read from its files.
    func keys(under prefix: String) async throws -> [String] {
        let output =
            if let directory = settings["DIRECTORY"] {
                try await run("local_keys.py", [directory, prefix])
            } else {
                try await run("s3_request.py", ["list-keys", try setting("BUCKET"), prefix])
            }
        return try JSONDecoder().decode([String].self, from: Data(output.utf8))
    }

    /// The path of a file in `Tests/storage`.
    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../storage/\(name)").standardized
            .path()
    }

    /// Runs a script of `Tests/storage` with the server's permanent key and returns its output.
    @discardableResult
    func run(_ script: String, _ arguments: [String]) async throws -> String {
        let result = try await Command.run(
            "/usr/bin/env", ["python3", Self.script(script)] + arguments,
            environment: [
                "ENDPOINT": try setting("ENDPOINT"), "ACCESS_KEY": try setting("ACCESS_KEY"),
                "SECRET": try setting("SECRET"),
            ])
        try #require(result.status == 0, "\(script): \(result.errors)")
        return result.output
    }
}

extension Trait where Self == ConditionTrait {
    /// Requires the built command and real servers; `Tests/run.sh` provides both.
    static var realParts: Self {
        .enabled(
            if: PresignProcess.binary != nil && !StorageKind.present.isEmpty,
            "needs PRESIGN_BINARY, and one of PRESIGN_E2E_SEAWEEDFS, PRESIGN_E2E_SWIFT, PRESIGN_E2E_LOCAL; Tests/run.sh sets them"
        )
    }
}
