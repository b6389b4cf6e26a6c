import Foundation
import Testing

/// The files of `config/` and their validators.
enum Deployment {
    /// The folder of a Python environment with the validators from PyPI.
    static let validators = ProcessInfo.processInfo.environment["PRESIGN_E2E_VALIDATORS"]

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardized

    /// A file of the repository.
    static func file(_ path: String) -> URL { root.appending(path: path) }

    /// Runs one validator.
    static func validate(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], input: Data? = nil
    ) async throws -> Command.Result {
        try await Command.run(
            "\(try #require(validators))/bin/\(program)", arguments, environment: environment, input: input)
    }

    /// Runs a script of `Tests/deployment` with the validators' Python.
    static func script(_ name: String, _ arguments: [String], input: Data? = nil) async throws -> Command.Result {
        try await validate("python", [file("Tests/deployment/\(name).py").path()] + arguments, input: input)
    }

    static func isInstalled(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }
}

extension Trait where Self == ConditionTrait {
    /// The validators from PyPI.
    static var validators: Self {
        .enabled(if: Deployment.validators != nil, "needs PRESIGN_E2E_VALIDATORS; Tests/run.sh sets it")
    }

    /// A program of the system.
    static func program(_ path: String, _ source: Comment) -> Self {
        .enabled(if: Deployment.isInstalled(path), "\(path) is not installed: \(source)")
    }
}
