import Foundation
import Testing

/// The S3 servers, and our own local storage, that `Tests/storage/start.sh` starts; each names its settings file in an environment variable.
enum StorageKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case seaweedfs = "PRESIGN_E2E_SEAWEEDFS"
    case swift = "PRESIGN_E2E_SWIFT"
    case local = "PRESIGN_E2E_LOCAL"

    /// Those that this run has. A variable that is set but names no good file fails the tests, it does not skip them.
    static let present = allCases.filter { ProcessInfo.processInfo.environment[$0.rawValue] != nil }

    /// Those whose bucket has CORS rules; Swift's S3 API knows none.
    static let withCORS = present.filter { (try? $0.server)?.origin != nil }

    var testDescription: String { "\(self)" }

    var server: StorageServer { get throws { try StorageServer(settings: rawValue) } }
}

/// Where a running S3 server is, and who may use it.
struct StorageServer: Sendable {
    private let settings: [String: String]

    init(settings variable: String) throws {
        let path = try #require(ProcessInfo.processInfo.environment[variable], "\(variable) is not set")
        var settings: [String: String] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 2 { settings[parts[0]] = parts[1] }
        }
        self.settings = settings
    }

    func setting(_ name: String) throws -> String {
        try #require(settings[name], "the server's settings lack \(name)")
    }

    /// The origin that the bucket's CORS rules admit; nil where the server has no such rules.
    var origin: String? { settings["CORS_ORIGIN"] }

    /// The standing key, as the service finds it in its environment.
    var credentials: [String: String] {
        get throws {
            ["AWS_ACCESS_KEY_ID": try setting("ACCESS_KEY"), "AWS_SECRET_ACCESS_KEY": try setting("SECRET")]
        }
    }

    /// Temporary credentials of the server's own STS.
    var sessionCredentials: [String: String] {
        get throws {
            [
                "AWS_ACCESS_KEY_ID": try setting("SESSION_ACCESS_KEY"),
                "AWS_SECRET_ACCESS_KEY": try setting("SESSION_SECRET"),
                "AWS_SESSION_TOKEN": try setting("SESSION_TOKEN"),
            ]
        }
    }

    /// The keys of the bucket that begin with the prefix, asked for by a signer that is not ours; of the local storage,
    /// which answers no such question, read from its files.
    func keys(under prefix: String) async throws -> [String] {
        let (script, arguments): (String, [String]) =
            if let directory = settings["DIRECTORY"] {
                ("local_keys.py", [directory, prefix])
            } else {
                ("s3_request.py", ["list-keys", try setting("BUCKET"), prefix])
            }
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../storage")
        let result = try await Command.run(
            "/usr/bin/env", ["python3", folder.appending(path: script).standardized.path()] + arguments,
            environment: [
                "ENDPOINT": try setting("ENDPOINT"), "ACCESS_KEY": try setting("ACCESS_KEY"),
                "SECRET": try setting("SECRET"),
            ])
        try #require(result.status == 0, "\(script): \(result.errors)")
        return try JSONDecoder().decode([String].self, from: Data(result.output.utf8))
    }
}

extension Trait where Self == ConditionTrait {
    /// The built command and real servers; `Tests/run.sh` provides both.
    static var realParts: Self {
        .enabled(
            if: PresignProcess.binary != nil && !StorageKind.present.isEmpty,
            "needs PRESIGN_BINARY, and one of PRESIGN_E2E_SEAWEEDFS, PRESIGN_E2E_SWIFT, PRESIGN_E2E_LOCAL; Tests/run.sh sets them"
        )
    }
}
