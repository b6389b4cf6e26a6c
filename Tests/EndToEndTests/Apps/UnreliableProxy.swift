import Foundation
import TestSupport
import Testing

/// A proxy before a storage that delays, cuts and corrupts: `Tests/clients/unreliable_proxy.py`.
struct UnreliableProxy: Sendable {
    /// `http://host:port`.
    let origin: String
    private let log: URL

    /// Runs the body with a proxy and a service that signs for its address.
    ///
    /// - Parameters:
    ///   - faults: The script's arguments.
    ///   - rules: Rules in addition to the one for everything, in YAML's flow style.
    static func run(
        before kind: StorageKind, _ faults: [String], rules: [String] = [],
        _ body: (UnreliableProxy, Scenario, URL) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { folder in
            let port = try FreePort.next()
            let storagePort = try #require(URL(string: try kind.server.setting("ENDPOINT"))?.port)
            let (log, output) = (folder.appending(path: "log"), folder.appending(path: "output"))
            let (proxy, exit) = try Command.start(
                "/usr/bin/python3",
                [Python.script("unreliable_proxy"), "\(port)", "\(storagePort)", log.path()] + faults,
                environment: [:], output: output, errors: folder.appending(path: "errors"))
            let outcome: Result<Void, any Error>
            do {
                try #require(try await eventually { try Data(contentsOf: output) == Data("ready\n".utf8) })
                let origin = "http://127.0.0.1:\(port)"
                outcome = .success(
                    try await Scenario.run(on: kind, store: ["endpoint": origin], rules: rules) { scenario in
                        try await body(UnreliableProxy(origin: origin, log: log), scenario, folder)
                    })
            } catch {
                outcome = .failure(error)
            }
            if proxy.isRunning { kill(proxy.processIdentifier, SIGKILL) }
            for await _ in exit {}
            try outcome.get()
        }
    }

    /// The requests so far: method, path with query, and range.
    var requests: [(method: String, target: String, range: String)] {
        get throws {
            try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
                let words = line.split(separator: " ").map(String.init)
                return (words[0], words[1], words[2])
            }
        }
    }

    /// The numbers of the parts that were sent, with repetitions.
    var sentParts: [Int] {
        get throws {
            try requests.compactMap { request in
                guard request.method == "PUT" else { return nil }
                return request.target.firstMatch(of: /partNumber=(\d+)/).flatMap { Int($0.1) }
            }
        }
    }
}
