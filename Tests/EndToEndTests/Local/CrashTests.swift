import Foundation
import TestSupport
import Testing

@Suite("Killing the local storage", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct CrashTests {
    /// Contents that reveal a mixture: each version repeats its own byte and has its own length.
    private static func content(_ version: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: version), count: 1 << 20 + version * 4096)
    }

    /// The client's knowledge of its object.
    private struct Known: Sendable {
        /// The last version that the storage confirmed, and the last one sent.
        var (acknowledged, sent) = (0, 0)
    }

    /// The objects with an upload that the storage confirmed since it started.
    private actor Acknowledged {
        private(set) var objects: Set<Int> = []

        func insert(_ object: Int) { objects.insert(object) }
    }

    @Test("SIGKILL during uploads leaves every object whole")
    func killed() async throws {
        try await ConcurrencyLimit.tests.pass { try await withTemporaryDirectory(Self.killing) }
    }

    private static func killing(in folder: URL) async throws {
        var known = [Known](repeating: Known(), count: 4)
        var key: String?
        var halfUploads = 0
        for _ in 1...5 {
            let server = try await LocalProcess.start(in: folder)
            key = try key ?? server.apiKey
            let apiKey = try #require(key)
            try await check(known, server, apiKey, folder)
            known = try await upload(known, to: server, apiKey, folder)
            halfUploads += try incoming(folder).count
        }
        #expect(halfUploads > 0, "no signal arrived during an upload")
        let server = try await LocalProcess.start(in: folder)
        try await check(known, server, try #require(key), folder)
        #expect(known.allSatisfy { $0.acknowledged > 0 })
        #expect(await server.end(SIGTERM) == 0)
    }

    /// Uploads increasing versions of every object until the server is killed.
    private static func upload(
        _ known: [Known], to server: LocalProcess, _ key: String, _ folder: URL
    ) async throws -> [Known] {
        let acknowledged = Acknowledged()
        return try await withThrowingTaskGroup(of: (Int, Known).self) { group in
            for (index, state) in known.enumerated() {
                let url = try await server.url("PUT", "object\(index)", key: key)
                group.addTask {
                    var state = state
                    let file = folder.appending(path: "upload\(index)")
                    while true {
                        state.sent = max(state.sent, state.acknowledged) + 1
                        try content(state.sent).write(to: file)
                        // Slow enough for the signal to arrive during an upload.
                        let options = ["-qsS", "--noproxy", "*", "--limit-rate", "20M", "--max-time", "20"]
                        let curl = try await Command.run(
                            "/usr/bin/curl", options + ["-w", "%{http_code}", "-T", file.path(), url])
                        guard curl.status == 0 else { return (index, state) }
                        try #require(curl.output == "200", "\(curl.output)")
                        state.acknowledged = state.sent
                        await acknowledged.insert(index)
                    }
                }
            }
            // At a random point of an upload, after one of each object.
            let size = Int.random(in: 0..<1 << 20)
            #expect(
                try await eventually {
                    guard await acknowledged.objects.count == known.count else { return false }
                    return try incoming(folder).contains { Self.size(of: $0, in: folder) > size }
                })
            #expect(await server.end(SIGKILL) == 128 + SIGKILL)
            return try await group.reduce(into: known) { $0[$1.0] = $1.1 }
        }
    }

    /// The unfinished uploads. The file of the API key's hash may be there too, just after the key was printed.
    private static func incoming(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "data/incoming").path())
            .filter { $0 != "api-key" }
    }

    /// The size of an unfinished upload; 0 if it has just ended.
    private static func size(of name: String, in folder: URL) -> Int {
        let path = folder.appending(path: "data/incoming/\(name)").path()
        return (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
    }

    private static func check(_ known: [Known], _ server: LocalProcess, _ key: String, _ folder: URL) async throws {
        #expect(try incoming(folder) == [])
        for (index, state) in known.enumerated() {
            let response = try await HTTP.send("GET", try await server.url("GET", "object\(index)", key: key))
            guard state.acknowledged > 0 || response.status != 404 else { continue }
            #expect(response.status == 200, "object\(index): \(response.status)")
            let candidates = max(1, state.acknowledged)...max(1, state.sent)
            #expect(
                candidates.contains { content($0) == response.body }, "object\(index): \(response.body.count) bytes")
        }
    }
}
