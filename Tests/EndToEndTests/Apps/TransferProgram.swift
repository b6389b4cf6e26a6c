import Foundation
import TestSupport
import Testing

/// The program of the sample package `Tests/PresignClient`, which is a process of its own that can be killed.
struct TransferProgram: Sendable {
    static let binary = ProcessInfo.processInfo.environment["PRESIGN_E2E_TRANSFER"]

    let scenario: Scenario
    /// The folder for its records and its output.
    let folder: URL

    var state: URL { folder.appending(path: "state") }

    /// Runs it to its end and expects success. Returns the lines of its output.
    @discardableResult
    func run(_ arguments: String...) async throws -> [String] {
        let result = try await Command.run(try #require(Self.binary), all(arguments), environment: environment)
        try #require(result.status == 0, "\(result.output) \(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    /// Starts it, and kills it when its progress has reached a percentage.
    func kill(at percent: Int, _ arguments: String...) async throws {
        try await running(arguments) { process, output in
            // Long, because a busy machine sends slowly.
            let isReached = try await eventually(within: .seconds(120)) {
                let text = try String(contentsOf: output, encoding: .utf8)
                return text.split(separator: "\n").contains { Int($0.dropLast()).map { $0 >= percent } ?? false }
            }
            try #require(isReached && process.isRunning)
            Foundation.kill(process.processIdentifier, SIGKILL)
        }
    }

    /// Runs it to its end. Returns the most memory that it has used, in bytes.
    func peakMemory(_ arguments: String...) async throws -> Int {
        var peak = 0
        try await running(arguments) { process, _ in
            let status = "/proc/\(process.processIdentifier)/status"
            while process.isRunning {
                let text = (try? String(contentsOfFile: status, encoding: .utf8)) ?? ""
                if let found = text.firstMatch(of: /VmHWM:\s*(\d+) kB/) { peak = (Int(found.1) ?? 0) * 1024 }
                try await Task.sleep(for: .milliseconds(20))
            }
            try #require(process.terminationStatus == 0)
        }
        return peak
    }

    private func running(_ arguments: [String], _ body: (Process, URL) async throws -> Void) async throws {
        let output = folder.appending(path: "transfer-output")
        let (process, exit) = try Command.start(
            try #require(Self.binary), all(arguments), environment: environment, output: output,
            errors: folder.appending(path: "transfer-errors"))
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(process, output)) } catch { outcome = .failure(error) }
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        for await _ in exit {}
        try outcome.get()
    }

    private func all(_ arguments: [String]) -> [String] {
        ["http://\(scenario.service.address)", state.path()] + arguments
    }

    private var environment: [String: String] { ["PRESIGN_API_KEY": scenario.service.apiKey] }
}

extension Trait where Self == ConditionTrait {
    /// The program of the sample package; `Tests/run.sh` builds it.
    static var transferProgram: Self {
        .enabled(if: TransferProgram.binary != nil, "needs PRESIGN_E2E_TRANSFER; Tests/run.sh sets it")
    }
}

extension URL {
    /// Writes a file of this folder, in which no two blocks are equal.
    func file(_ name: String, size: Int) throws -> URL {
        let file = appending(path: name)
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        var block = Data(repeating: 0, count: 1 << 20)
        for start in stride(from: 0, to: size, by: block.count) {
            block.replaceSubrange(0..<8, with: "\(start + 10_000_000)".utf8.prefix(8))
            try output.write(contentsOf: block.prefix(size - start))
        }
        try output.close()
        return file
    }

    /// Whether two files have the same content.
    func hasContent(of other: URL) async throws -> Bool {
        try await Command.run("/usr/bin/cmp", [path(), other.path()]).status == 0
    }
}
