import Dispatch
import HTTPServer
import Synchronization
import TestSupport
import Testing

extension Live {
    @Suite("Live server: hostile clients", .serialized)
    struct Hostile {
        /// Enough descriptors for both ends of every connection.
        static let hasDescriptors = ProcessResources.raiseDescriptorLimit(to: 12_000)

        /// Allowed growth of memory in bytes from one round to the next. A sanitizer retains more memory.
        private static let growth =
            (4 << 20) * (LiveServer.isSanitized ? 8 : 1)

        /// The longest allowed response time of the well-behaved client.
        private static let longestWait = Duration.milliseconds(100)

        /// More pipelined requests than fit into the buffers of two sockets.
        private static let endlessRequests = {
            let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000\r\n\r\n"
            let request = Array((head + String(repeating: "x", count: 10_000)).utf8)
            var requests: [UInt8] = []
            requests.reserveCapacity(3000 * request.count)
            for _ in 0..<3000 { requests += request }
            return requests
        }()

        enum Attack: String, CaseIterable {
            case slowHead, slowBody, slowReader, openAndClose, openAndStay, resets, idle
        }

        /// A server with short timeouts, so that no attack holds resources for long.
        private static func server(_ live: LiveCase) throws -> LiveServer {
            try LiveServer(live) {
                $0.timeouts.header = .milliseconds(300)
                $0.timeouts.body = .milliseconds(300)
                $0.timeouts.write = .milliseconds(300)
                $0.timeouts.linger = .milliseconds(300)
            }
        }

        @Test(
            "A well-behaved client is served in time, and no resources stay in use",
            .enabled(if: hasDescriptors, "the system allows this process fewer than 12,000 descriptors"),
            arguments: LiveCase.tcp, Attack.allCases)
        func attack(_ live: LiveCase, _ attack: Attack) throws {
            let server = try Self.server(live)
            defer { server.stop() }
            var memory: [Int] = []
            var best = Duration.seconds(3600)
            /// Between the last two rounds.
            var growth: Int { memory.suffix(2).reduce(0) { $1 - $0 } }
            // The first round grows tables that stay. Other work on the machine can only add time, and other tests
            // memory, so one good round shows what the server can do; a leak would show in every round.
            while memory.count < 2 || memory.count < 5 && (best >= Self.longestWait || growth >= Self.growth) {
                let good = GoodClient(of: server)
                try Self.run(attack, against: server)
                let experience = good.finish()
                #expect(experience.failed == 0 && experience.answered >= 100)
                best = min(best, experience.longest)
                // Two loops, each with one listener.
                #expect(becomesTrue { ProcessResources.sockets(of: server.address) == 2 })
                #expect(server.server.buffers.used == 0)
                memory.append(ProcessResources.memory())
            }
            #expect(best < Self.longestWait)
            #expect(growth < Self.growth)
        }

        /// Runs the attack, then closes every connection.
        private static func run(_ attack: Attack, against server: LiveServer) throws {
            switch attack {
            case .slowHead: try trickle("POST / HTTP/1.1\r\nHost: a\r\nX: ", server)
            case .slowBody: try trickle("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n", server)
            case .slowReader: try readNothing(server)
            case .openAndClose: for _ in 0..<3000 { _ = try server.connect() }
            case .openAndStay: try openAndStay(server)
            case .resets: try resets(server)
            case .idle: try idle(server)
            }
        }

        /// 200 clients that send a byte now and then. Each gets 408, because more bytes do not extend the deadline.
        private static func trickle(_ start: String, _ server: LiveServer) throws {
            let clients = try (0..<200).map { _ in try server.connect() }
            for client in clients { client.send(start) }
            for _ in 0..<20 { for client in clients { client.send("x") } }
            #expect(Set(clients.map { $0.response()?.status }) == [408])
        }

        /// 2,000 clients that send one byte and wait. Each gets 408.
        private static func openAndStay(_ server: LiveServer) throws {
            // Send immediately: a connection without any data is closed silently.
            let clients = try (0..<2000).map { _ in
                let client = try server.connect()
                client.send("P")
                return client
            }
            #expect(Set(clients.map { $0.response()?.status }) == [408])
        }

        /// Three clients request more than all buffers hold and read nothing, until the server closes them.
        private static func readNothing(_ server: LiveServer) throws {
            let taken = Atomic(0)
            DispatchQueue.concurrentPerform(iterations: 3) { _ in
                guard let client = try? server.connect() else { return }
                if client.send(endlessRequests) { taken.add(1, ordering: .relaxed) }
            }
            #expect(taken.load(ordering: .relaxed) == 0)
        }

        /// Resets after every byte of one and two requests, and before reading a response.
        private static func resets(_ server: LiveServer) throws {
            let requests = Array((GoodClient.request + GoodClient.request).utf8)
            for _ in 0..<3 {
                for count in 0...requests.count {
                    let client = try server.connect()
                    client.send(Array(requests.prefix(count)))
                    client.resetOnClose()
                }
            }
            for path in ["large", "file", "defer", "count", "refuse"] {
                for _ in 0..<20 {
                    let client = try server.connect()
                    client.send("POST /\(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
                    client.send("defghij")
                    client.resetOnClose()
                }
            }
        }

        /// 5,000 clients that are served twice and stay connected, in groups small enough for none to be shed.
        private static func idle(_ server: LiveServer) throws {
            var groups: [[LiveClient]] = []
            // Each sends immediately: a connection without data is closed after the header timeout.
            for _ in 0..<20 {
                let some = try (0..<250).map { _ in try server.connect() }
                ask(some)
                groups.append(some)
            }
            #expect(ProcessResources.sockets(of: server.address) >= 5000)
            for some in groups { ask(some) }
        }

        private static func ask(_ clients: [LiveClient]) {
            for client in clients { client.send(GoodClient.request) }
            #expect(Set(clients.map { $0.response()?.status }) == [200])
        }
    }
}
