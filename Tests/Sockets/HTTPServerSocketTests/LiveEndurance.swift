import Dispatch
import Glibc
import HTTPServer
import Synchronization
import Testing

@testable import HTTPServerTestSupport

extension Live {
    @Suite("Live server: many, broken and ending connections", .serialized)
    struct Endurance {
        private static let post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc"

        @Test("1,000 connections at once work, and the server then has no open socket", arguments: LiveCase.tcp)
        func many(_ live: LiveCase) throws {
            #expect(ProcessResources.raiseDescriptorLimit(to: 4096))
            let server = try LiveServer(live)
            let clients = try (0..<1000).map { _ in try server.connect() }
            for client in clients { client.send(Self.post) }
            #expect(clients.allSatisfy { $0.response()?.status == 200 })
            #expect(ProcessResources.sockets(of: server.address) >= 1000)
            server.stop()
            #expect(clients.allSatisfy { $0.isAtEnd() })
            #expect(ProcessResources.sockets(of: server.address) == 0)
        }

        @Test("Resets after every byte of a request do not affect other clients", arguments: LiveCase.tcp)
        func resets(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            for count in 0...Self.post.utf8.count {
                let client = try server.connect()
                client.send(Array(Self.post.utf8.prefix(count)))
                client.resetOnClose()
            }
            let good = try server.connect()
            good.send(Self.post)
            #expect(good.response()?.status == 200)
        }

        @Test("A shutdown under load loses no response", arguments: LiveCase.all)
        func shutdown(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            let tally = Tally()
            let group = DispatchGroup()
            for number in 0..<16 {
                DispatchQueue(label: "load.\(number)").async(group: group) { Self.load(server, tally) }
            }
            // The listener's end also ends connections that the kernel has not handed over yet, so each client must
            // have had a response before the stop.
            while tally.answered.load(ordering: .relaxed) < 2000 || tally.clients.load(ordering: .relaxed) < 16,
                tally.lost.load(ordering: .relaxed) == 0
            {
                sched_yield()
            }
            server.stop()
            group.wait()
            #expect(tally.lost.load(ordering: .relaxed) == 0)
            #expect(tally.answered.load(ordering: .relaxed) >= 2000)
        }

        private final class Tally: Sendable {
            let clients = Atomic(0)
            let answered = Atomic(0)
            let lost = Atomic(0)
        }

        /// Sends requests until a response announces the close.
        private static func load(_ server: LiveServer, _ tally: Tally) {
            guard let client = try? server.connect() else {
                tally.lost.add(1, ordering: .relaxed)
                return
            }
            for round in 0... {
                client.send(post)
                guard let response = client.response(), response.body.count == 3 else {
                    tally.lost.add(1, ordering: .relaxed)
                    return
                }
                if round == 0 { tally.clients.add(1, ordering: .relaxed) }
                tally.answered.add(1, ordering: .relaxed)
                if response.head.contains("Connection: close") { return }
            }
        }

        @Test("A shutdown waits for partial requests and for partly read responses", arguments: LiveCase.all)
        func drain(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            let sender = try server.connect()
            sender.send(Array(Self.post.utf8.dropLast(2)))
            let reader = try server.connect()
            reader.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            // Both were certainly read once a later connection of each kind got its response.
            for _ in 0..<8 {
                let probe = try server.connect()
                probe.send(Self.post)
                #expect(probe.response()?.status == 200)
            }
            server.server.shutdown()
            #expect(reader.response()?.body.count == LiveServer.large.count)
            sender.send("bc")
            let response = sender.response()
            #expect(response?.status == 200)
            #expect(response?.head.contains("Connection: close") == true)
            #expect(sender.isAtEnd())
            #expect(reader.isAtEnd())
            // The server waits for the clients' ends too.
            for client in [sender, reader] { client.finishSending() }
            server.server.wait()
        }

        @Test("A shutdown does not wait for a rejected body", arguments: LiveCase.all)
        func refusedBody(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.timeouts.drain = .seconds(60) }
            do {
                let client = try server.connect()
                client.send("POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")
                #expect(client.response()?.status == 401)
                server.server.shutdown()
                #expect(client.isAtEnd())
            }
            server.server.wait()
        }

        @Test("Shutdown works before, during and right after the start, and twice", arguments: LiveCase.tcp)
        func early(_ live: LiveCase) throws {
            for _ in 0..<20 {
                let server = try LiveServer(live)
                server.server.shutdown()
                server.stop()
            }
            let never = HTTPServer(configuration: HTTPServerConfiguration(listen: [])) { _ in ScriptedHandler() }
            never.shutdown()
            never.wait()
            #expect(throws: HTTPServerError.self) { try never.start() }
        }

        @Test("An address in use is reported with the address and what to do", arguments: LiveCase.all)
        func taken(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            for loops in [1, 2] {
                let configuration = HTTPServerConfiguration(listen: [server.address], loops: loops)
                let second = HTTPServer(configuration: configuration) { _ in ScriptedHandler() }
                let error = #expect(throws: HTTPServerError.self) { try second.start() }
                #expect(error?.description.contains("\(server.address): the address is in use") == true)
            }
        }
    }
}
