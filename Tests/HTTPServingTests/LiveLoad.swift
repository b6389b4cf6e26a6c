import Glibc
import HTTPServing
import Synchronization
import Testing

extension Live {
    @Suite("Live server: more than it can do", .serialized)
    struct Load {
        private static let get = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let other = "GET /other HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let check = "GET /alive HTTP/1.1\r\nHost: a\r\n\r\n"

        /// Keeps every deferral of `/slow` until it is told to answer them.
        private final class Keeper: Sendable {
            private let kept = Mutex<[HTTPDeferral]>([])

            var count: Int { kept.withLock { $0.count } }
            func keep(_ deferral: HTTPDeferral) { kept.withLock { $0.append(deferral) } }

            func answerAll() {
                let all = kept.withLock { kept in
                    defer { kept = [] }
                    return kept
                }
                for deferral in all { deferral.complete(with: HTTPResponse(status: 200)) }
            }
        }

        private final class KeepingHandler: HTTPHandler {
            let keeper: Keeper
            init(_ keeper: Keeper) { self.keeper = keeper }

            func body(for head: HTTPRequest) -> HTTPBodyDecision { .read(limit: 0) }

            func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
                guard text(request.path) == "/slow" else { return HTTPResponse(status: 204) }
                keeper.keep(deferral)
                return nil
            }

            func response(to failure: HTTPFailure, head: HTTPRequest?) -> HTTPResponse {
                var response = HTTPResponse(status: failure.status)
                response.add("retry-after", "1")
                return response
            }

            func mustAnswer(_ request: HTTPRequest) -> Bool { text(request.path) == "/alive" }
        }

        /// Runs the body beside a server that keeps three waiting at most, and with three clients.
        private static func crowded(
            _ live: LiveCase, _ body: (HTTPServer, Keeper, [LiveClient]) throws -> Void
        ) throws {
            let keeper = Keeper()
            var configuration = HTTPServerConfiguration(
                listen: [try ListenAddress.parse(live.address)], poller: live.poller)
            configuration.limits.inFlight = 3
            let server = HTTPServer(configuration: configuration) { _ in KeepingHandler(keeper) }
            try server.start()
            defer {
                server.shutdown()
                server.wait()
            }
            try body(server, keeper, try (0..<3).map { _ in try LiveClient(server.boundAddresses[0]) })
        }

        /// As many wait for an answer as may.
        private static func fill(_ keeper: Keeper, _ clients: [LiveClient]) {
            for client in clients { client.send(get) }
            let end = ContinuousClock.now + .seconds(5)
            while keeper.count < clients.count, ContinuousClock.now < end { sched_yield() }
        }

        @Test("Above inFlight: 503 at once, a health check passes, room again afterwards", arguments: LiveCase.pollers)
        func inFlight(_ live: LiveCase) throws {
            try Self.crowded(live) { server, keeper, waiting in
                let address = server.boundAddresses[0]
                Self.fill(keeper, waiting)
                let (refused, alive) = (try LiveClient(address), try LiveClient(address))
                refused.send(Self.get)
                let refusal = try #require(refused.answer())
                #expect(refusal.status == 503 && refusal.head.contains("retry-after: 1\r\n"))
                alive.send(Self.check)
                #expect(alive.answer()?.status == 204)
                keeper.answerAll()
                for client in waiting { #expect(client.answer()?.status == 200) }
                let later = try LiveClient(address)
                later.send(Self.check)
                #expect(later.answer()?.status == 204)
                #expect(server.refusals == 1)
            }
        }

        @Test("Who was refused and asks again at once waits, and is refused that, too", arguments: LiveCase.pollers)
        func pause(_ live: LiveCase) throws {
            try Self.crowded(live) { server, keeper, waiting in
                let client = try LiveClient(server.boundAddresses[0])
                client.send(Self.check)
                #expect(client.answer()?.status == 204)
                // A machine that is busy may take longer than the pause until the client asks again.
                var again: Int?
                for _ in 0..<100 where again != 503 {
                    Self.fill(keeper, waiting)
                    client.send(Self.get)
                    #expect(client.answer()?.status == 503)
                    keeper.answerAll()
                    for client in waiting { #expect(client.answer()?.status == 200) }
                    client.send(Self.other)
                    again = client.answer()?.status
                    #expect(again == 503 || again == 204)
                }
                #expect(again == 503)
            }
        }

        /// What thousands of connections do at once without asking for anything.
        enum Silence: CaseIterable { case begins, ends }

        @Test(
            "Thousands that connect and say nothing, or end, at once: nobody's request is refused",
            .enabled(if: Hostile.hasDescriptors, "the system allows this process fewer than 12,000 descriptors"),
            arguments: LiveCase.pollers, Silence.allCases)
        func silence(_ live: LiveCase, _ silence: Silence) throws {
            #expect(Holdings.raiseDescriptorLimit(to: 12_000))
            let server = try LiveServer(live) {
                $0.loops = 1
                $0.limits.inFlight = 256
            }
            defer { server.stop() }
            var silent: [LiveClient] = []
            if silence == .ends { for _ in 0..<4000 { silent.append(try server.connect()) } }
            let good = try (0..<200).map { _ in try server.connect() }
            for client in [silent.last, good.last].compactMap(\.self) {
                client.send(GoodClient.request)
                #expect(client.answer()?.status == 200)
            }
            try server.sendAtOnce {
                switch silence {
                case .begins:
                    // A byte, as a connection without one is not handed over.
                    for _ in 0..<4000 {
                        silent.append(try server.connect())
                        silent.last?.send("P")
                    }
                case .ends: silent = []
                }
                for client in good { client.send(GoodClient.request) }
            }
            #expect(Set(good.map { $0.answer()?.status }) == [200])
            #expect(server.server.refusals == 0)
        }
    }
}
