import Foundation
import SocketTestSupport
import Testing

extension Alone {
    @Suite("Storage failures during existence checks")
    struct StorageChaos {
        /// The behaviour of the storage, and the expected status for the caller.
        private static let faults: [(mode: String, status: Int)] = [
            ("present", 200), ("missing", 404), ("slow", 200), ("late", 504), ("silent", 504), ("dribble", 504),
            ("garbage", 502), ("misspelt", 502), ("truncated", 502), ("closed", 502), ("reset", 502),
            ("forbidden", 502), ("broken", 502), ("busy", 502), ("elsewhere", 502),
        ]
        /// Bounded by time or by size, whichever is reached first.
        private static let floods = ["endless", "continues"]

        /// The timeout of a check, in seconds.
        private static let timeout = 1

        /// Another process may take the storage's port after it is freed, so only one test uses it.
        private static func serving(
            _ body: (PresignProcess, BackgroundProgram, UInt16) async throws -> Void
        ) async throws {
            _ = try await BackgroundProgram.run(
                "/usr/bin/env", ["python3", Python.script("faulty_storage")], awaited: false
            ) { storage in
                try await Loads.Chaos.settles("the storage listens") { try !storage.printed.isEmpty }
                let port = try #require(UInt16(storage.printed.trimmingCharacters(in: .newlines)))
                try await Loads.serving(
                    sections: "existence: {timeout: \(timeout)s, connectTimeout: 500ms, maximumInFlight: 32}\n",
                    store: ["endpoint": "http://127.0.0.1:\(port)", "addressing": "path"]
                ) { try await body($0, storage, port) }
            }
        }

        private static func body(_ mode: String) -> String {
            #"{"path":"\#(mode)","validateObjectExistence":true}"#
        }

        @Test("Every failure is a 502 or 504 in time, never a URL; other requests are served, and the service recovers")
        func faults() async throws {
            try await Self.serving { service, _, _ in
                let before = try service.descriptors
                for (mode, status) in Self.faults { try Self.expect([status], from: mode, service) }
                for mode in Self.floods { try Self.expect([502, 504], from: mode, service) }
                try Self.expect([200], from: "present", service)
                // libcurl keeps some connections to the storage open.
                try await Loads.Chaos.settles("its descriptors are closed") { try service.descriptors <= before + 32 }
            }
        }

        /// Sends many checks at once, along with requests that need none.
        private static func expect(_ statuses: Set<Int>, from mode: String, _ service: PresignProcess) throws {
            let clients = try (0..<24).map { _ in try RawClient(port: service.port) }
            let start = ContinuousClock.now
            for client in clients { client.send(Loads.Chaos.request(service, body(mode), closes: true)) }
            var good = try GoodClient(of: service)
            for _ in 0..<15 { try good.ask() }
            for client in clients {
                let response = try #require(try client.response(), "\(mode): no response")
                #expect(statuses.contains(response.status), "\(mode): \(response.status) \(response.text)")
                #expect(
                    response.text.contains("X-Amz-Signature") == (response.status == 200), "\(mode): \(response.text)")
            }
            #expect(.now - start < .seconds(timeout + 2 * Loads.slowness), "\(mode)")
            try good.expectServed()
        }

        @Test("A frozen, dead and restarted storage gives 504, 502, and URLs again, without a restart of presign")
        func outage() async throws {
            try await Self.serving { service, storage, port in
                try Self.expect([200], from: "present", service)
                // The kernel still accepts connections for it; to the service they look half-open.
                kill(storage.process.processIdentifier, SIGSTOP)
                try Self.expect([504], from: "present", service)
                kill(storage.process.processIdentifier, SIGCONT)
                try Self.expect([200], from: "present", service)
                try await storage.end()
                try Self.expect([502], from: "present", service)
                _ = try await BackgroundProgram.run(
                    "/usr/bin/env", ["python3", Python.script("faulty_storage"), "\(port)"], awaited: false
                ) { second in
                    try await Loads.Chaos.settles("the storage listens again") { try !second.printed.isEmpty }
                    try Self.expect([200], from: "present", service)
                }
            }
        }
    }
}
