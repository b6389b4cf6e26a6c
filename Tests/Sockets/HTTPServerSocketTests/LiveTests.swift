import Dispatch
import Glibc
import HTTP1
import HTTPServer
import TestSupport
import Testing

/// Live suites run one after the other, so that each counts only its own sockets.
@Suite(.serialized)
enum Live {}

extension Live {
    @Suite("Live server", .serialized)
    struct Exchanges {
        static let head = " HTTP/1.1\r\nHost: a\r\n"

        private func post(_ path: String, _ body: String) -> String {
            "POST \(path)\(Self.head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        @Test("Keep-alive, pipelining, HEAD and close work", arguments: LiveCase.all)
        func basics(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send(post("/1", "one"))
            #expect(client.response()?.body == Array("one".utf8))
            client.send((0..<100).map { post("/", "\($0)") }.joined())
            for number in 0..<100 { #expect(client.response()?.body == Array("\(number)".utf8)) }
            client.send("HEAD /large\(Self.head)\r\n")
            #expect(client.response(toHead: true)?.head.contains("Content-Length: 4194304\r\n") == true)
            client.send("GET /\(Self.head)Connection: close\r\n\r\nGET /junk")
            #expect(client.response()?.head.contains("Connection: close\r\n") == true)
            #expect(client.isAtEnd())
        }

        @Test("Input byte by byte, 100-continue, a rejection and half-close work", arguments: LiveCase.all)
        func pieces(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            for byte in post("/", "abc").utf8 { client.send([byte]) }
            #expect(client.response()?.body == Array("abc".utf8))
            client.send("POST /\(Self.head)Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.response()?.status == 100)
            client.send("hi")
            #expect(client.response()?.body == Array("hi".utf8))
            client.send(post("/refuse", "abc") + post("/", "x"))
            #expect(client.response()?.status == 401)
            #expect(client.response()?.body == Array("x".utf8))
            client.send(post("/", "last"))
            client.finishSending()
            #expect(client.response()?.body == Array("last".utf8))
            #expect(client.isAtEnd())
        }

        @Test("An end that arrives with the last bytes is noticed after them", arguments: LiveCase.tcp)
        func endWithBytes(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            for (last, status) in [(post("/", "last"), 200), ("POST / HTTP/1.1\r\nHost: a", 400), ("", nil)] {
                let client = try server.connect()
                client.send(post("/", "first"))
                #expect(client.response()?.status == 200)
                client.sendLast(last)
                #expect(client.response()?.status == status)
                #expect(client.isAtEnd())
            }
        }

        @Test("Input beyond one full read buffer is read too", arguments: LiveCase.all)
        func fullBuffer(_ live: LiveCase) throws {
            let server = try LiveServer(live) {
                $0.loops = 1
                $0.limits.bodyBytes = 1 << 20
            }
            defer { server.stop() }
            let client = try server.connect()
            // Repeat until the kernel accepts this much at once.
            for _ in 0..<20 {
                client.send(post("/", String(repeating: "x", count: 300_000)))
                #expect(client.response()?.body.count == 300_000)
            }
            try server.sendAtOnce {
                client.send(post("/", String(repeating: "x", count: 100_000)))
            }
            #expect(client.response()?.body.count == 100_000)
        }

        @Test("Urgent data ends a read and is not part of the request", arguments: LiveCase.plain)
        func urgentData(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.loops = 1 }
            defer { server.stop() }
            let client = try server.connect()
            client.send(post("/", "first"))
            #expect(client.response()?.status == 200)
            try server.sendAtOnce {
                client.send("GET /\(Self.head)")
                client.sendUrgent(0x21)
                client.send("\r\n" + post("/", "second"))
            }
            #expect(client.response()?.status == 200)
            #expect(client.response()?.body == Array("second".utf8))
        }

        @Test("A descriptor sent with the data ends a read")
        func descriptorAlong() throws {
            let server = try LiveServer(LiveCase(address: "unix:")) { $0.loops = 1 }
            defer { server.stop() }
            let client = try server.connect()
            client.send(post("/", "first"))
            #expect(client.response()?.status == 200)
            try server.sendAtOnce {
                client.send("GET /\(Self.head)", passing: 0)
                client.send("\r\n" + post("/", "second"))
            }
            #expect(client.response()?.status == 200)
            #expect(client.response()?.body == Array("second".utf8))
        }

        @Test("Deferred responses from another thread are sent in order; a dropped one is 500", arguments: LiveCase.all)
        func deferral(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send(post("/defer", "") + post("/", "x") + post("/drop", "") + post("/defer", ""))
            client.finishSending()
            let statuses = (0..<4).map { _ in client.response()?.status }
            #expect(statuses == [202, 200, 500, 202])
            #expect(client.isAtEnd())
        }

        @Test("A client that is still sending gets its 413", arguments: LiveCase.all)
        func tooLarge(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send("POST /\(Self.head)Content-Length: 900000\r\n\r\n")
            for _ in 0..<90 { client.send([UInt8](repeating: 0x78, count: 10_000)) }
            #expect(client.response()?.status == 413)
            #expect(client.isAtEnd())
        }

        @Test("A slow head gets 408, an idle connection is closed silently", arguments: LiveCase.tcp)
        func timeouts(_ live: LiveCase) throws {
            let server = try LiveServer(live) {
                $0.timeouts.header = .milliseconds(100)
                $0.timeouts.idle = .milliseconds(150)
            }
            defer { server.stop() }
            let slow = try server.connect()
            slow.send("GET / HT")
            #expect(slow.response()?.status == 408)
            #expect(slow.isAtEnd())
            let idle = try server.connect()
            idle.send(post("/", ""))
            #expect(idle.response()?.status == 200)
            #expect(idle.isAtEnd())
        }

        @Test("A slow reader gets every byte; one that never reads is disconnected", arguments: LiveCase.tcp)
        func slowReader(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.timeouts.write = .seconds(1) }
            defer { server.stop() }
            let reader = try server.connect()
            reader.send(String(repeating: "GET /large\(Self.head)\r\n", count: 3))
            for _ in 0..<3 { #expect(reader.response()?.body.count == LiveServer.large.count) }
            let stalled = try server.connect()
            stalled.send(String(repeating: "GET /large\(Self.head)\r\n", count: 20))
            let other = try server.connect()
            other.send(post("/", "ok"))
            #expect(other.response()?.status == 200)
            #expect(becomesTrue { server.server.acceptedConnections == 3 })
            #expect(becomesTrue { server.server.connections == 2 })
            var responses = 0
            while stalled.response() != nil { responses += 1 }
            #expect(responses < 20)
        }

        @Test(
            "A connection opened before the stop is served if its request arrives just after it",
            arguments: LiveCase.tcp)
        func requestAfterStop(_ live: LiveCase) throws {
            // On a busy machine the requests after the stop are sent late.
            let server = try LiveServer(live) { $0.timeouts.drainGrace = .seconds(10) }
            let clients = try (0..<8).map { _ in try server.connect() }
            server.server.shutdown()
            #expect(becomesTrue { (try? server.connect()) == nil })
            for client in clients { client.send(post("/", "")) }
            #expect(clients.map { $0.response()?.status } == Array(repeating: 200, count: 8))
            for client in clients { client.finishSending() }
            server.stop()
        }

        @Test("A connection above the limit gets 503, even if its request arrives later", arguments: LiveCase.tcp)
        func turnedAwayBeforeItsRequest(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.limits.connections = 1 }
            defer { server.stop() }
            let first = try server.connect()
            first.send(post("/", ""))
            #expect(first.response()?.status == 200)
            let second = try server.connect()
            let request = Array(post("/", "").utf8)
            // The kernel hands over a connection when it has data.
            #expect(second.send(Array(request.prefix(1))))
            #expect(becomesTrue { server.server.refusals == 1 })
            #expect(second.send(Array(request.dropFirst())))
            #expect(second.response()?.status == 503 && second.isAtEnd())
        }

        @Test(
            "Above the connection limit clients get 503 and a close; capacity returns afterwards",
            arguments: LiveCase.tcp)
        func connectionLimit(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.limits.connections = 1 }
            defer { server.stop() }
            do {
                let first = try server.connect()
                first.send(post("/", ""))
                #expect(first.response()?.status == 200)
                let second = try server.connect()
                second.send(post("/", ""))
                #expect(second.response()?.status == 503)
                #expect(second.isAtEnd())
                #expect(becomesTrue { server.server.refusals == 1 })
            }
            var status = 503
            for _ in 0..<1000 where status == 503 {
                let third = try server.connect()
                third.send(post("/", ""))
                status = third.response()?.status ?? 0
            }
            #expect(status == 200)
        }
    }
}
