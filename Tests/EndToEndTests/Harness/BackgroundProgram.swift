import Foundation
import SocketTestSupport
import TestSupport
import Testing

/// A program that runs during a test.
struct BackgroundProgram: Sendable {
    let process: Process
    private let exit: AsyncStream<Int32>
    private let output: URL
    private let errors: URL

    fileprivate init(
        _ program: String, _ arguments: [String], environment: [String: String], output: URL, errors: URL
    ) throws {
        (process, exit) = try Command.start(
            program, arguments, environment: environment, output: output, errors: errors)
        (self.output, self.errors) = (output, errors)
    }

    /// Runs the body with the program.
    ///
    /// - Parameter awaited: Whether to wait until the program ends; otherwise it is ended after the body.
    /// - Returns: The exit status and the output.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], awaited: Bool,
        _ body: (BackgroundProgram) async throws -> Void
    ) async throws -> Command.Result {
        try await BackgroundPrograms.keeping { background in
            let started = try background.start(program, arguments, environment: environment)
            try await body(started)
            return awaited ? try await started.ended() : try await started.end()
        }
    }

    /// The output so far.
    var printed: String { get throws { try String(contentsOf: output, encoding: .utf8) } }

    /// Waits for the first line of the output, and returns it.
    func firstLine() async throws -> String {
        let line = try await found {
            let lines = try printed.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.count > 1 ? String(lines[0]) : nil
        }
        return try #require(line, "the program printed no line")
    }

    /// Waits until the program listens on a port of 127.0.0.1; fails with what it printed if it ends or does not listen.
    func listens(on port: UInt16) async throws {
        var accepts = false
        _ = try await eventually {
            accepts = (try? RawClient(port: port)) != nil
            return accepts || !process.isRunning
        }
        let said = try printed + String(contentsOf: errors, encoding: .utf8)
        try #require(accepts, "\(said)")
    }

    /// Waits until the program ends.
    func ended() async throws -> Command.Result {
        for await _ in exit {}
        let status = process.terminationStatus + (process.terminationReason == .exit ? 0 : 128)
        return Command.Result(
            status: status, output: try printed, errors: try String(contentsOf: errors, encoding: .utf8))
    }

    /// Ends the program. Not with SIGTERM: a child inherits the signals blocked by Dispatch's threads.
    @discardableResult
    func end() async throws -> Command.Result {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return try await ended()
    }
}

/// The programs of one test; they end with it.
struct BackgroundPrograms {
    private let directory: URL
    private var members: [BackgroundProgram] = []

    private init(directory: URL) { self.directory = directory }

    static func keeping<Value: Sendable>(_ body: (inout BackgroundPrograms) async throws -> Value) async throws -> Value
    {
        try await withTemporaryDirectory { directory in
            var background = BackgroundPrograms(directory: directory)
            let outcome: Result<Value, any Error>
            do { outcome = .success(try await body(&background)) } catch { outcome = .failure(error) }
            for member in background.members { try await member.end() }
            return try outcome.get()
        }
    }

    mutating func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:]
    ) throws -> BackgroundProgram {
        let number = members.count
        let started = try BackgroundProgram(
            program, arguments, environment: environment, output: directory.appending(path: "output-\(number)"),
            errors: directory.appending(path: "errors-\(number)"))
        members.append(started)
        return started
    }
}
