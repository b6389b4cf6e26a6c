import Foundation
import Testing

extension Engine {
    @Suite("Slow clients are disconnected, and a well-behaved client is not delayed")
    struct SlowClients {
        /// The behaviour of slowhttptest's connections.
        enum Attack: String, CaseIterable, Sendable, CustomTestStringConvertible {
            case slowHeaders, slowBodies, slowReaders

            var testDescription: String { rawValue }

            /// The options, and the path of the target.
            var arguments: (options: [String], path: String) {
                switch self {
                case .slowHeaders: (["-H"], "/healthz")
                case .slowBodies: (["-B"], "/presign")
                // Ten responses of 40 KiB, into a window of at most 512 bytes, read at 16 bytes per second.
                case .slowReaders:
                    (["-X", "-k", "10", "-w", "256", "-y", "512", "-z", "16", "-n", "1"], "/openapi.yaml")
                }
            }
        }

        private static let count = 400
        /// Seconds: the timeout of the service, and the duration of the attack.
        private static let (timeout, duration) = (2, 7)
        private static let server =
            "timeouts: {\(["header", "body", "idle", "write"].map { "\($0): \(timeout)s, " }.joined())linger: 1s}"

        @Test("slowhttptest: the service stays available", arguments: Attack.allCases)
        func slowhttptest(attack: Attack) async throws {
            try await Engine.serving(guests: true, page: true, server: Self.server) { service in
                let before = try service.descriptors
                let result = try await BackgroundProgram.run(
                    "/usr/bin/slowhttptest", Self.arguments(attack, service.address), awaited: true
                ) { _ in try await Self.watch(service) }
                // slowhttptest judges by its own probe.
                #expect(result.status == 0 && result.output.contains("YES"), "\(result)")
                #expect(!result.output.contains("NO\u{1B}"), "\(result)")
                try await service.settles(to: before)
            }
        }

        @Test(
            "Large numbers of clients that read no responses: the third group uses no more memory than the second",
            .enabled(if: slowness == 1, "a sanitizer has an allocator of its own"))
        func crowdsThatReadNothing() async throws {
            try await Engine.serving(page: true, server: "loops: 2") { service in
                let before = try service.anonymousMemory
                var peaks: [Int] = []
                for _ in 0..<3 {
                    let result = try await Command.run(
                        "/usr/bin/env",
                        ["python3", Python.script("deaf_crowd"), service.address, "800", "\(service.identifier)"])
                    peaks.append(try #require(Int(result.output.trimmingCharacters(in: .newlines)), "\(result)"))
                }
                #expect(
                    peaks[0] > before + (24 << 10), "\(peaks) KiB: the clients use too little memory for a comparison")
                #expect(peaks[2] < peaks[1] + (8 << 10), "\(peaks) KiB")
            }
        }

        @Test(
            "Memory of multi-megabyte responses is reused: eight more responses take less than 8 MiB more",
            .enabled(if: slowness == 1, "a sanitizer has an allocator of its own"))
        func largeResponses() async throws {
            let path = String(repeating: "\u{FC}", count: 500)
            let requests = (0..<1000).map { #"{"path":"\#(path)\#($0)"}"# }.joined(separator: ",")
            try await Engine.serving(server: "loops: 2, limits: {batchBody: 2m}") { service in
                var memory: [Int] = []
                for _ in 0..<20 {
                    let response = try await Curl.send(
                        "POST", "http://\(service.address)/presign/batch",
                        headers: ["X-API-Key": service.apiKey, "Content-Type": "application/json"],
                        body: Data("{\"requests\":[\(requests)]}".utf8))
                    #expect(response.status == 200 && response.body.count > 4_000_000, "\(response.body.count) bytes")
                    memory.append(try service.anonymousMemory)
                }
                // Peaks, because the allocator returns memory at times; after twelve each loop has served one.
                let (earlier, later) = (memory[..<12].max() ?? 0, memory[12...].max() ?? 0)
                #expect(later < earlier + (8 << 10), "\(memory) KiB")
            }
        }

        private static func arguments(_ attack: Attack, _ address: String) -> [String] {
            let (options, path) = attack.arguments
            return options + [
                "-u", "http://\(address)\(path)", "-c", "\(count)", "-r", "\(count)", "-i", "1", "-p", "1",
                "-l", "\(duration)",
            ]
        }

        /// Waits until the service has had most of the connections and has closed them all, although the clients keep
        /// them.
        private static func watch(_ service: PresignProcess) async throws {
            var client = try GoodClient(of: service)
            var (most, held) = (0, 0)
            let deadline = ContinuousClock.now + .seconds(duration - 1)
            repeat {
                for _ in 0..<5 {
                    try client.ask()
                    try await Task.sleep(for: .milliseconds(20))
                }
                held = try SocketTable.held(by: service.port)
                most = max(most, held)
                // The well-behaved client has two connections, slowhttptest's probe one.
            } while !(most > count * 9 / 10 && held <= 3) && ContinuousClock.now < deadline
            #expect(most > count * 9 / 10, "the service never had more than \(most) connections")
            #expect(held <= 3, "the service still holds \(held) connections")
            try client.expectServed()
        }
    }
}

extension PresignProcess {
    /// Anonymous memory in KiB. The exact count is not readable by other users or by root without CAP_SYS_PTRACE; this
    /// one lags behind by some pages per core.
    fileprivate var anonymousMemory: Int {
        get throws {
            let folder = "/proc/\(identifier)/"
            let exact = try? String(contentsOfFile: folder + "smaps_rollup", encoding: .utf8)
            let text = try exact ?? String(contentsOfFile: folder + "status", encoding: .utf8)
            let line = try #require(text.firstMatch(of: /(?:Anonymous|RssAnon):\s+(\d+) kB/))
            return try #require(Int(line.1))
        }
    }
}
