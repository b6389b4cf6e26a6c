import CPlatform
import Glibc
import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

@Suite("Event loop, step by step")
struct LoopTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("A HEAD request on a connection above the limit gets a response without a body")
    func turnedAwayHead() throws {
        let fixture = try LoopFixture { $0.connections = 0 }
        let client = try fixture.connect()
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.iterate([LoopFixture.listener])
        #expect(client.response(toHead: true)?.status == 503 && client.isAtEnd())
    }

    @Test("Some of the rejected connections stay open briefly, up to a limit")
    func rejected() throws {
        let fixture = try LoopFixture { $0.connections = 0 }
        let clients = try (0..<RejectedConnection.most + 5).map { _ in try fixture.connect() }
        fixture.iterate([LoopFixture.listener])
        #expect(fixture.loop.rejected.count == RejectedConnection.most)
        for client in clients { #expect(client.response()?.status == 503 && client.isAtEnd()) }
        fixture.loop.closeRejected(before: fixture.loop.context.now)
        #expect(fixture.loop.rejected.count == RejectedConnection.most)
        fixture.advance(seconds: 1)
        fixture.loop.closeRejected(before: fixture.loop.context.now)
        #expect(fixture.loop.rejected.isEmpty)
    }

    @Test("A closed connection frees its slot and is no longer watched")
    func places() throws {
        let fixture = try LoopFixture()
        for _ in 0..<3 {
            let client = try fixture.connect()
            fixture.iterate([LoopFixture.listener])
            try #require(fixture.loop.slots.count == 1)
            #expect(fixture.loop.queue.watched.count == 1)
            client.finishSending()
            fixture.iterate([fixture.ready(0)])
            // A descriptor that stays watched would keep reporting events, or those of a file that reuses its number.
            #expect(fixture.loop.queue.watched.isEmpty)
            #expect(fixture.loop.open == 0 && client.isAtEnd())
        }
    }

    @Test("Accepts per iteration are limited; the other connections wait")
    func accepts() throws {
        let fixture = try LoopFixture { $0.accepts = 2 }
        let clients = try (0..<5).map { _ in try fixture.connect() }
        for open in [2, 4, 5, 5] {
            fixture.iterate([LoopFixture.listener])
            #expect(fixture.loop.open == open)
        }
        #expect(!clients.contains { $0.hasBytes })
    }

    @Test("A stop serves connections that wait to be accepted, even above the limit per iteration")
    func drainQueue() throws {
        let fixture = try LoopFixture { $0.accepts = 1 }
        let clients = try (0..<3).map { _ in try fixture.connect() }
        for client in clients { client.send(Self.get) }
        fixture.loop.beginDraining()
        for client in clients {
            #expect(client.response()?.head.contains("Connection: close\r\n") == true)
            #expect(client.isAtEnd())
        }
        #expect(throws: LiveClient.Failure.self) { try fixture.connect() }
    }

    @Test("A stop serves a request that arrived on an idle connection without a notification")
    func drainArrived() throws {
        let fixture = try LoopFixture()
        let client = try fixture.connect()
        client.send(Self.get)
        fixture.iterate([LoopFixture.listener])
        #expect(client.response()?.status == 200)
        // Idle for longer than the grace period, so that the stop would close it.
        fixture.advance(seconds: 5)
        client.send(Self.get)
        fixture.loop.beginDraining()
        #expect(client.response()?.head.contains("Connection: close\r\n") == true)
        #expect(client.isAtEnd())
    }

    @Test("The idle timeout starts when a slow client has read the response", arguments: [false, true])
    func slowReader(isFile: Bool) throws {
        let fixture = try LoopFixture()
        fixture.handler.makeResponse = { _, _ in
            var response = HTTPResponse(status: 200)
            if isFile {
                response.file = LiveServer.file(0..<LiveServer.large.count)
            } else {
                response.body = LiveServer.large
            }
            return response
        }
        let client = try fixture.connect()
        client.send(Self.get)
        fixture.iterate([LoopFixture.listener])
        let timeouts = HTTPTimeouts()
        #expect(fixture.loop.slots[0].isWriting)
        #expect(fixture.loop.slots[0].connection.deadline == fixture.loop.context.now + TimeSpan(timeouts.write))
        fixture.advance(seconds: 7)
        while fixture.loop.slots[0].isWriting, client.fill() { fixture.iterate([fixture.ready(0, toWrite: true)]) }
        #expect(fixture.loop.slots[0].connection.deadline == fixture.loop.context.now + TimeSpan(timeouts.idle))
        #expect(client.response()?.body.count == LiveServer.large.count)
    }

    @Test("After a late iteration the loop sheds load until an iteration has nothing to shed")
    func overload() throws {
        let fixture = try LoopFixture { $0.queueDelay = .milliseconds(10) }
        // Each request takes a millisecond.
        let clock = fixture.clock
        fixture.handler.makeResponse = { _, _ in
            clock.advance(by: .milliseconds(1))
            return HTTPResponse(status: 200)
        }
        let clients = try (0..<20).map { _ in try fixture.connect() }
        fixture.iterate([LoopFixture.listener])
        func statuses(of clients: ArraySlice<LiveClient>) -> [Int?] {
            for client in clients { client.send(Self.get) }
            fixture.iterate(clients.indices.map { fixture.ready($0) })
            return clients.map { $0.response()?.status }
        }
        func expected(served: Int, shed: Int) -> [Int?] {
            Array(repeating: 200, count: served) + Array(repeating: 503, count: shed)
        }
        #expect(statuses(of: clients[...]) == expected(served: 20, shed: 0))
        #expect(statuses(of: clients[...]) == expected(served: 1, shed: 19))
        #expect(statuses(of: clients[...]) == expected(served: 1, shed: 19))
        #expect(statuses(of: clients[..<1]) == expected(served: 1, shed: 0))
        #expect(statuses(of: clients[..<9]) == expected(served: 9, shed: 0))
    }

    @Test("Input that arrives during the last response is read before the close", arguments: [false, true])
    func lateInput(isDeferred: Bool) throws {
        let fixture = try LoopFixture()
        var kept: [HTTPDeferral] = []
        fixture.handler.makeResponse = { _, deferral in
            if isDeferred { kept.append(deferral) }
            return isDeferred ? nil : HTTPResponse(status: 200, body: LiveServer.large)
        }
        let client = try fixture.connect()
        client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        fixture.iterate([LoopFixture.listener])
        // A line break after a body, as old clients send it (RFC 9112 section 2.2).
        client.send("\r\n")
        for deferral in kept { deferral.complete(with: HTTPResponse(status: 200, body: LiveServer.large)) }
        if isDeferred { fixture.iterate([Readiness(token: PollID.completions, flags: UInt32(PRESIGN_READABLE))]) }
        while fixture.loop.slots[0].isWriting, client.fill() { fixture.iterate([fixture.ready(0, toWrite: true)]) }
        #expect(fixture.loop.slots[0].connection.phase == .lingering)
        #expect(client.response()?.body.count == LiveServer.large.count)
        fixture.iterate([fixture.ready(0)])
        #expect(client.isAtEnd())
        client.finishSending()
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.open == 0)
    }

    @Test("A client that keeps sending gets the last response; after its end the close is immediate")
    func stages() throws {
        let last = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let fixture = try LoopFixture()
        let client = try fixture.connect()
        fixture.iterate([LoopFixture.listener])
        client.send(last)
        fixture.iterate([fixture.ready(0)])
        client.send("late")
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.slots[0].connection.phase == .lingering)
        #expect(client.response()?.status == 200 && client.isAtEnd())
        client.finishSending()
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.open == 0)

        let ended = try fixture.connect()
        fixture.iterate([LoopFixture.listener])
        ended.send(last)
        ended.finishSending()
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.open == 0)
        #expect(ended.response()?.status == 200 && ended.isAtEnd())
    }
}
