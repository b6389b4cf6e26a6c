import Foundation
import Testing

/// The scripts of `Tests/clients`, run by a Python with the client libraries.
enum Python {
    static let interpreter = ProcessInfo.processInfo.environment["PRESIGN_E2E_PYTHON"]

    /// The folder of the commands `python` with the client libraries, `http` and `duckdb`, which need `settings`.
    ///
    /// They are files of the repository: a program that a test has just written cannot be executed while a process that
    /// another test started at that moment still has the descriptor.
    static let commands = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../clients/commands").standardized.path()

    static let settings = ProcessInfo.processInfo.environment.filter {
        ["PRESIGN_E2E_PYTHON", "PRESIGN_E2E_TOOLS"].contains($0.key)
    }

    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../clients/\(name).py").standardized
            .path()
    }

    /// Runs the script, expects status 0, and returns its output.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> String {
        let result = try await Command.run(
            try #require(interpreter), [script(name)] + arguments, environment: environment)
        try #require(result.status == 0, "\(name): \(result.errors)")
        return result.output
    }
}

extension Trait where Self == ConditionTrait {
    /// Python with DuckDB, requests and boto3; `Tests/run.sh` installs them.
    static var pythonClients: Self {
        .enabled(if: Python.interpreter != nil, "needs PRESIGN_E2E_PYTHON; Tests/run.sh sets it")
    }
}
