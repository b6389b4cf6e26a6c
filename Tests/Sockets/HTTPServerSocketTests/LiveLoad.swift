import Glibc
import Synchronization
import System
import TestSupport
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer

extension Live {
    @Suite("Live server under overload", .serialized)
    struct Load {
        private static let get = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let other = "GET /other HTTP/1.1\r\nHost: a\r\n\r\n"
        private static let check = "GET /alive HTTP/1.1\r\nHost: a\r\n\r\n"

        /// Keeps every deferral of `/slow` until `answerAll`.
        private final class Keeper: Sendable {
            private let kept = Mutex<[HTTPDeferral]>([])

            var count: Int { kept.withLock { $0.count } }
            func keep(_ deferral: HTTPDeferral) { kept.withLock { $0.append(deferral) } }

            func completeAll() {
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

            func body(for head: HTTPRequest) -> HTTPBodyDecision { .read(limit: 0, Responder(keeper)) }

            func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
                Responder.response(to: failure)
            }

            func isExemptFromShedding(_ request: HTTPRequest) -> Bool { text(request.path) == "/alive" }
        }

        private final class Responder: HTTPResponder {
            let keeper: Keeper
            init(_ keeper: Keeper) { self.keeper = keeper }

            func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
                switch text(request.path) {
                case "/slow":
                    keeper.keep(deferrals.makeDeferral())
                    return nil
                case "/hold": return LiveServer.hold()
                default: return HTTPResponse(status: 204)
                }
            }

            func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
                Self.response(to: failure)
            }

            static func response(to failure: HTTPFailure) -> HTTPResponse {
                var response = HTTPResponse(status: failure.status)
                response.add("retry-after", "1")
                return response
            }
        }

        /// Runs the body with a server that allows three deferred requests, and with three clients.
        private static func crowded(
            _ live: LiveCase, _ body: (LiveServer, Keeper, [LiveClient]) throws -> Void
        ) throws {
            let keeper = Keeper()
            let server = try LiveServer(live) {
                $0.loops = 1
                $0.limits.inFlight = 3
            } handler: {
                KeepingHandler(keeper)
            }
            defer { server.stop() }
            try body(server, keeper, try (0..<3).map { _ in try server.connect() })
        }

        /// Fills the limit of deferred requests.
        private static func fill(_ keeper: Keeper, _ clients: [LiveClient]) {
            for client in clients { client.send(get) }
            #expect(becomesTrue { keeper.count >= clients.count })
        }

        @Test(
            "Above inFlight, requests get 503 at once, health checks succeed, and capacity returns afterwards",
            arguments: LiveCase.tcp)
        func inFlight(_ live: LiveCase) throws {
            try Self.crowded(live) { server, keeper, waiting in
                Self.fill(keeper, waiting)
                let (refused, alive) = (try server.connect(), try server.connect())
                refused.send(Self.get)
                let refusal = try #require(refused.response())
                #expect(refusal.status == 503 && refusal.head.contains("retry-after: 1\r\n"))
                alive.send(Self.check)
                #expect(alive.response()?.status == 204)
                keeper.completeAll()
                for client in waiting { #expect(client.response()?.status == 200) }
                let later = try server.connect()
                later.send(Self.check)
                #expect(later.response()?.status == 204)
                #expect(server.server.refusals == 1)
            }
        }

        @Test("Simultaneous requests do not exceed the limit", arguments: LiveCase.tcp)
        func together(_ live: LiveCase) throws {
            try Self.crowded(live) { server, keeper, waiting in
                let clients = try waiting + (0..<20).map { _ in try server.connect() }
                for client in clients {
                    client.send(Self.check)
                    #expect(client.response()?.status == 204)
                }
                try server.sendAtOnce { for client in clients { client.send(Self.get) } }
                #expect(becomesTrue { server.server.refusals + keeper.count == clients.count })
                #expect(keeper.count == 3)
                keeper.completeAll()
                #expect(clients.count { $0.response()?.status == 200 } == 3)
            }
        }

        @Test(
            "A request that arrived in time is served, even if the loop was blocked past the deadline",
            .enabled(
                if: Hostile.hasDescriptors,
                "the system allows this process fewer than 12,000 descriptors"),
            arguments: LiveCase.tcp)
        func heldUp(_ live: LiveCase) throws {
            let idle = Duration.seconds(2)
            let server = try LiveServer(live) {
                $0.loops = 1
                $0.timeouts.idle = idle
            }
            defer { server.stop() }
            // More than the loop reads in one iteration.
            let clients = try (0..<EpollQueue.mostEvents + 200).map { _ in try server.connect() }
            for client in clients + clients {
                client.send(GoodClient.request)
                #expect(client.response()?.status == 200)
            }
            try server.sendAtOnce {
                let end = ContinuousClock.now + idle + .milliseconds(50)
                for client in clients { client.send(GoodClient.request) }
                while ContinuousClock.now < end { sched_yield() }
            }
            #expect(clients.count { $0.response()?.status == 200 } == clients.count)
        }

        @Test(
            "A rejected client is served on the same connection once there is capacity",
            arguments: LiveCase.tcp)
        func again(_ live: LiveCase) throws {
            try Self.crowded(live) { server, keeper, waiting in
                let client = try server.connect()
                Self.fill(keeper, waiting)
                client.send(Self.get)
                #expect(client.response()?.status == 503)
                keeper.completeAll()
                for client in waiting { #expect(client.response()?.status == 200) }
                client.send(Self.other)
                #expect(client.response()?.status == 204)
            }
        }

        /// What thousands of connections do at once without sending a request.
        enum Silence: CaseIterable { case begins, ends }

        @Test(
            "Thousands of connections that open or close without data do not count as requests",
            .enabled(if: Hostile.hasDescriptors, "the system allows this process fewer than 12,000 descriptors"),
            arguments: LiveCase.tcp, Silence.allCases)
        func silence(_ live: LiveCase, _ silence: Silence) throws {
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
                #expect(client.response()?.status == 200)
            }
            try server.sendAtOnce {
                switch silence {
                case .begins:
                    // Send one byte, because the kernel does not hand over a connection without data.
                    for _ in 0..<4000 {
                        silent.append(try server.connect())
                        silent.last?.send("P")
                    }
                case .ends: silent = []
                }
                for client in good { client.send(GoodClient.request) }
            }
            #expect(Set(good.map { $0.response()?.status }) == [200])
            #expect(server.server.refusals == 0)
        }
    }
}
