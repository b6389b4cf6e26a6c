import Foundation
import TestSupport
import Testing

/// A proxy that records what a client sends to the storage.
struct LoggingProxy: Sendable {
    struct Exchange: Decodable, Sendable {
        let method: String
        /// Without the query.
        let path: String
        let range: String?
        let status: Int
        /// The size of the response's content in bytes.
        let sent: Int
    }

    let port: Int
    private let log: URL

    /// Runs the body with a proxy to the storage, which clients reach at the proxy's address.
    static func watching<Value: Sendable>(
        _ storage: StorageServer, _ body: (LoggingProxy) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { directory in
            let log = directory.appending(path: "log")
            let port = try #require(URL(string: try storage.setting("ENDPOINT"))?.port)
            let (process, exit) = try Command.start(
                try #require(Python.interpreter), [Python.script("logging_proxy"), "\(port)"], environment: [:],
                output: log, errors: directory.appending(path: "errors"))
            let outcome: Result<Value, any Error>
            do {
                outcome = .success(try await body(LoggingProxy(port: try await ownPort(process, log), log: log)))
            } catch {
                outcome = .failure(error)
            }
            // Not SIGTERM: a child inherits the signals blocked by Dispatch's threads.
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            for await _ in exit {}
            return try outcome.get()
        }
    }

    /// The exchanges so far.
    var exchanges: [Exchange] {
        get throws {
            try Self.lines(of: log).dropFirst().map { try JSONDecoder().decode(Exchange.self, from: $0) }
        }
    }

    private static func ownPort(_ process: Process, _ log: URL) async throws -> Int {
        guard let first = try await found({ try lines(of: log).first }) else { throw DidNotStart() }
        return try #require(Int(String(decoding: first, as: UTF8.self)))
    }

    /// The complete lines.
    private static func lines(of log: URL) throws -> [Data] {
        let content = try Data(contentsOf: log)
        return content.prefix(through: content.lastIndex(of: 0x0a) ?? content.startIndex - 1).split(separator: 0x0a)
    }

    struct DidNotStart: Error {}
}
