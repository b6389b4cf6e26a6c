import Foundation
import Testing

/// A load of the standing request by wrk, and its results.
struct Wrk: Decodable, Sendable {
    /// All responses, and those with status 200.
    let answered: Int
    let granted: Int
    /// Socket failures.
    let connect: Int
    let read: Int
    let write: Int
    /// Responses after more than two seconds.
    let timeout: Int

    /// Whether every request got a URL without failures.
    var isClean: Bool { answered == granted && connect == 0 && read == 0 && write == 0 && timeout == 0 }

    static func run(_ url: String, key: String, connections: Int) async throws -> Wrk {
        let result = try await Command.run("/usr/bin/wrk", arguments(url, key: key, connections: connections))
        try #require(result.status == 0, "\(result.errors)")
        return try report(in: result.output)
    }

    /// - Parameter longer: A factor for the duration.
    static func arguments(_ url: String, key: String, connections: Int, longer: Int = 1) -> [String] {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../clients/wrk.lua")
        return [
            "-t", "\(min(2, connections))", "-c", "\(connections)", "-d", "\(longer * Loads.seconds)s",
            "--timeout", "\(2 * Loads.slowness)s", "-s", script.standardized.path(), url, "--", key, Loads.body,
        ]
    }

    /// The script's report is the last line.
    static func report(in output: String) throws -> Wrk {
        let line = try #require(output.split(separator: "\n").last)
        return try JSONDecoder().decode(Self.self, from: Data(line.utf8))
    }
}
