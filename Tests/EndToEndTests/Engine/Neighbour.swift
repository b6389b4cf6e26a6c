import Foundation

/// A program that runs while a test goes on.
struct Neighbour: Sendable {
    let process: Process
    private let exit: AsyncStream<Int32>
    private let output: URL
    private let errors: URL

    /// Runs the body beside the program.
    ///
    /// - Parameter awaited: whether the program ends by itself, and is waited for; else it is ended after the body.
    /// - Returns: how the program ended, and what it printed.
    static func run(
        _ program: String, _ arguments: [String], environment: [String: String] = [:], awaited: Bool,
        _ body: (Neighbour) async throws -> Void
    ) async throws -> Command.Result {
        try await withTemporaryDirectory { directory in
            let (output, errors) = (directory.appending(path: "output"), directory.appending(path: "errors"))
            let (process, exit) = try Command.start(
                program, arguments, environment: environment, output: output, errors: errors)
            let neighbour = Neighbour(process: process, exit: exit, output: output, errors: errors)
            do {
                try await body(neighbour)
            } catch {
                _ = await neighbour.end()
                throw error
            }
            let status = awaited ? await exit.first { _ in true } : await neighbour.end()
            return Command.Result(
                status: status ?? process.terminationStatus,
                output: try String(contentsOf: output, encoding: .utf8), errors: try neighbour.complaints)
        }
    }

    /// What it has written to standard error so far.
    var complaints: String { get throws { try String(contentsOf: errors, encoding: .utf8) } }

    /// Not SIGTERM: a child inherits the signals that Dispatch's threads block.
    private func end() async -> Int32? {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        return await exit.first { _ in true }
    }
}
