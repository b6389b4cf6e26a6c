import Foundation
import Testing

/// An own SeaweedFS, because killing the one of the other tests would fail them.
struct RestartableSeaweedFS: RestartableStorage {
    let directory: URL
    private let server: StorageServer

    private static let environment = ProcessInfo.processInfo.environment.filter {
        ["HOME", "PRESIGN_TEST_CACHE"].contains($0.key)
    }

    /// Runs the body with it and a service whose page may use it, then ends both.
    ///
    /// - Parameters:
    ///   - sessionSeconds: The life of the temporary credentials that the service gets; nil for the permanent key.
    static func serving(
        sessionSeconds: Int? = nil, _ body: (RestartableSeaweedFS, PresignProcess) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let storage = try await started(in: directory, sessionSeconds: sessionSeconds)
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await storage.beside(hasSessions: sessionSeconds != nil, body))
            } catch {
                outcome = .failure(error)
            }
            await storage.kill()
            try outcome.get()
        }
    }

    private static func started(in directory: URL, sessionSeconds: Int?) async throws -> Self {
        let folder = directory.appending(path: "seaweedfs").path()
        let port = try FreePort.next(count: 15)
        let result = try await Command.run(
            StorageServer.script("start.sh"), ["seaweedfs", "\(port)", folder],
            environment: environment.merging(
                sessionSeconds.map { ["SESSION_SECONDS": "\($0)"] } ?? [:], uniquingKeysWith: { $1 }))
        try #require(result.status == 0, "start.sh: \(result.errors)")
        return Self(directory: directory, server: StorageServer(lines: result.output))
    }

    private func beside(
        hasSessions: Bool, _ body: (RestartableSeaweedFS, PresignProcess) async throws -> Void
    ) async throws {
        let store = [
            "bucket": try server.setting("BUCKET"), "region": try server.setting("REGION"),
            "endpoint": try server.setting("ENDPOINT"), "addressing": "path", "default": "true",
        ]
        let environment = hasSessions ? try sessions : try server.credentials
        try await PresignProcess.serving(
            store: store, environment: environment, page: true, sections: "aws: {minRemaining: 0s}"
        ) { service in
            let methods = ["GET", "HEAD", "PUT", "POST", "DELETE"]
            let arguments = ["allow-origin", try server.setting("BUCKET"), "http://\(service.address)"]
            try await server.run("s3_request.py", arguments + methods)
            try await body(self, service)
        }
    }

    /// The environment of a service that fetches temporary credentials from the storage.
    private var sessions: [String: String] {
        get throws {
            let program = directory.appending(path: "credentials.sh")
            let text = """
                export ENDPOINT='\(try server.setting("ENDPOINT"))'
                export ACCESS_KEY='\(try server.setting("ACCESS_KEY"))' SECRET='\(try server.setting("SECRET"))'
                exec python3 '\(StorageServer.script("s3_request.py"))' credential-process arn:aws:iam::role/Tester
                """
            try Data(text.utf8).write(to: program)
            let configuration = directory.appending(path: "config")
            try Data("[default]\ncredential_process = /bin/sh \(program.path())\n".utf8).write(to: configuration)
            return ["AWS_CONFIG_FILE": configuration.path(), "AWS_EC2_METADATA_DISABLED": "true"]
        }
    }

    func start() async throws {
        let folder = directory.appending(path: "seaweedfs").path()
        let result = try await Command.run(
            StorageServer.script("start.sh"), ["again", folder], environment: Self.environment)
        try #require(result.status == 0, "start.sh again: \(result.errors)")
    }

    func kill() async {
        let file = directory.appending(path: "seaweedfs/pid")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let process = pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines))
        else { return }
        Foundation.kill(process, SIGKILL)
    }

    var unfinishedUploads: Int {
        get async throws {
            let output = try await server.run("s3_request.py", ["list-uploads", try server.setting("BUCKET")])
            return try JSONDecoder().decode([String].self, from: Data(output.utf8)).count
        }
    }
}
