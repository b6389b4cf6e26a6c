import Foundation
import Testing

extension Alone {
    @Suite("Slow clients are disconnected, and a well-behaved client is not delayed")
    struct SlowClients {
        /// The behaviour of slowhttptest's connections.
        enum Attack: CaseIterable {
            case slowHeaders, slowBodies, slowReaders

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

        @Test("slowhttptest: services under an attack of each kind stay available at the same time")
        func slowhttptest() async throws {
            try await withThrowingTaskGroup { group in
                for attack in Attack.allCases { group.addTask { try await Self.expectAvailable(during: attack) } }
                try await group.waitForAll()
            }
        }

        private static func expectAvailable(during attack: Attack) async throws {
            try await Loads.serving(guests: true, page: true, server: server) { service in
                let before = try service.descriptors
                let result = try await BackgroundProgram.run(
                    "/usr/bin/slowhttptest", arguments(attack, service.address), awaited: true
                ) { _ in try await watch(service, attack) }
                // slowhttptest judges by its own probe.
                #expect(result.status == 0 && result.output.contains("YES"), "\(attack): \(result)")
                #expect(!result.output.contains("NO\u{1B}"), "\(attack): \(result)")
                try await service.settles(to: before)
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
        private static func watch(_ service: PresignProcess, _ attack: Attack) async throws {
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
            #expect(most > count * 9 / 10, "\(attack): the service never had more than \(most) connections")
            #expect(held <= 3, "\(attack): the service still holds \(held) connections")
            try client.expectServed()
        }
    }
}
