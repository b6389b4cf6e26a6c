import Foundation
import Testing

/// The scripts of `Tests/clients`, run by a Python with the client libraries.
enum Python {
    static let interpreter = ProcessInfo.processInfo.environment["PRESIGN_E2E_PYTHON"]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../clients").standardized

    /// The folder of the commands `python` with the client libraries, `http` and `duckdb`.
    ///
    /// They are files of the repository, because a test cannot execute a program that it has just written while another
    /// test starts a process: the new process has the file open for a moment.
    static let commands = folder.appending(path: "commands").path()

    /// The environment of these commands.
    static let environment = ProcessInfo.processInfo.environment.filter {
        ["PRESIGN_E2E_PYTHON", "PRESIGN_E2E_TOOLS"].contains($0.key)
    }

    static func script(_ name: String) -> String {
        folder.appending(path: "\(name).py").path()
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
