import Foundation
import TestSupport
import Testing

/// Unmodified clients with their default settings, which sign their requests themselves.
@Suite("Clients that sign their requests to the local storage", .signingClients)
struct SigningClientTests {
    private static let tools = ProcessInfo.processInfo.environment["PRESIGN_E2E_SDKS"]

    /// Starts the storage and runs the body with its settings as environment variables, as the banner prints them.
    private static func withStorage(
        _ body: @Sendable @escaping (URL, LocalProcess, [String: String]) async throws -> Void
    ) async throws {
        try await ConcurrencyLimit.tests.pass {
            try await withTemporaryDirectory { folder in
                let server = try await LocalProcess.start(in: folder)
                try await body(folder, server, try settings(of: server, in: folder))
                #expect(await server.end(SIGTERM) == 0)
            }
        }
    }

    /// The settings that the banner prints, with the two values of the credentials file instead of its path.
    private static func settings(of server: LocalProcess, in folder: URL) throws -> [String: String] {
        let credentials = try String(contentsOf: folder.appending(path: "data/credentials"), encoding: .utf8)
        let value = { (name: String) in
            let line = credentials.split(separator: "\n").first { $0.hasPrefix(name) }
            return try #require(line?.split(separator: " ").last.map(String.init))
        }
        return [
            "AWS_ACCESS_KEY_ID": try value("aws_access_key_id"),
            "AWS_SECRET_ACCESS_KEY": try value("aws_secret_access_key"),
            "AWS_DEFAULT_REGION": "us-east-1", "AWS_ENDPOINT_URL": "http://\(server.storage)", "HOME": folder.path(),
            "PATH": try #require(tools) + "/bin:/usr/local/bin:/usr/bin:/bin",
        ]
    }

    private static func script(_ name: String, _ arguments: [String], in environment: [String: String]) async throws {
        let run = try await Command.run(
            try #require(tools) + "/bin/python", [Python.script(name)] + arguments, environment: environment)
        #expect(run.status == 0, "\(run.errors)")
    }

    @Test(
        "The AWS CLI in both versions and rclone copy, list, move, synchronize and delete",
        arguments: isLongRun ? ["aws", "aws2", "rclone"] : ["aws2", "rclone"])
    func tools(_ name: String) async throws {
        try await Self.withStorage { folder, _, environment in
            let script = Python.script("signing_tools").replacing(".py", with: ".sh")
            let work = folder.appending(path: "work").path()
            let run = try await Command.run(
                "/bin/sh", ["-c", "mkdir '\(work)' && cd '\(work)' && sh '\(script)' \(name) local"],
                environment: environment)
            #expect(run.status == 0, "\(run.errors)")
        }
    }

    @Test("boto3 gets true responses to the reads that it sends on its own")
    func reads() async throws {
        try await Self.withStorage { _, server, environment in
            try await Self.script("signing_reads", ["http://\(server.storage)", "local"], in: environment)
        }
    }

    @Test("The line of the banner configures the AWS CLI")
    func banner() async throws {
        try await Self.withStorage { folder, server, environment in
            let line = try #require(server.banner.split(separator: "\n").first { $0.hasPrefix("  S3 ") })
            let command = "cd '\(folder.path())' && \(line.dropFirst(4)) && aws s3 ls"
            let run = try await Command.run(
                "/bin/sh", ["-c", command],
                environment: [
                    "PATH": environment["PATH"] ?? "", "HOME": folder.path(),
                ])
            #expect(run.status == 0 && run.output.hasSuffix(" local\n"), "\(run)")
        }
    }

    @Test("boto3 uploads, downloads and copies a large object in parts while the memory of the storage does not grow")
    func boto3() async throws {
        try await Self.withStorage { folder, server, environment in
            let file = folder.appending(path: "big")
            try Data().write(to: file)
            var peaks: [Int] = []
            for size: UInt64 in [64 << 20, isLongRun ? 1 << 30 : 256 << 20] {
                try FileHandle(forWritingTo: file).truncate(atOffset: size)
                try await Self.script(
                    "signing_boto3", ["http://\(server.storage)", "local", file.path()], in: environment)
                peaks.append(try MemoryTests.peak(of: server.identifier))
            }
            #expect(peaks[1] - peaks[0] <= 8 << 10, "\(peaks) KiB")
        }
    }

    @Test("SIGKILL while boto3 writes loses nothing that was confirmed and leaves every object whole")
    func killed() async throws {
        try await ConcurrencyLimit.tests.pass {
            // `Tests/run.sh --kills` has 2,000 kills.
            let arguments = [Python.script("kill_storage"), try #require(PresignProcess.binary), "6"]
            let run = try await Command.run(try #require(Self.tools) + "/bin/python", arguments)
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    @Test("PyIceberg writes and reads a table")
    func iceberg() async throws {
        try await Self.withStorage { folder, server, environment in
            try await Self.script(
                "signing_iceberg", ["http://\(server.storage)", "local", folder.path()], in: environment)
        }
    }

    @Test("DuckDB writes, reads and globs s3:// with a secret", .pythonClients)
    func duckDB() async throws {
        try await Self.withStorage { _, server, environment in
            _ = try await Python.run("signing_duckdb", [server.storage, "local"], environment: environment)
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// The built program, and an environment with the AWS CLI, boto3 and PyIceberg.
    fileprivate static var signingClients: Self {
        .enabled(
            if: PresignProcess.binary != nil && ProcessInfo.processInfo.environment["PRESIGN_E2E_SDKS"] != nil,
            "needs PRESIGN_BINARY and PRESIGN_E2E_SDKS; Tests/run.sh sets them")
    }
}
