import HTTPServer
import Testing

extension Live {
    @Suite("Live server: streams and files", .serialized)
    struct Streams {
        private static let head = " HTTP/1.1\r\nHost: a\r\n"

        @Test("A body far above the memory limits is streamed, and the connection stays open", arguments: LiveCase.all)
        func upload(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            let piece = [UInt8](repeating: 0x78, count: 1 << 20)
            client.send("PUT /count\(Self.head)Content-Length: \(32 * piece.count)\r\n\r\n")
            for _ in 0..<32 { client.send(piece) }
            #expect(client.response()?.body == Array("\(32 * piece.count)".utf8))
            client.send("PUT /count\(Self.head)Content-Length: 3\r\n\r\nabcGET /\(Self.head)\r\n")
            #expect(client.response()?.body == Array("3".utf8))
            #expect(client.response()?.status == 200)
        }

        @Test("A receiver can respond before the end of the body", arguments: LiveCase.tcp)
        func refusal(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send("PUT /count\(Self.head)Content-Length: 800000\r\n\r\n!")
            for _ in 0..<70 { client.send([UInt8](repeating: 0x78, count: 10_000)) }
            #expect(client.response()?.status == 422)
            #expect(client.isAtEnd())
        }

        @Test("A file is sent whole and in order with other responses; HEAD sends none of it", arguments: LiveCase.all)
        func file(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send("GET /\(Self.head)\r\nGET /file\(Self.head)\r\nHEAD /file\(Self.head)\r\n")
            client.send("GET /file\(Self.head)Connection: close\r\n\r\n")
            #expect(client.response()?.body.isEmpty == true)
            let expected = Array(LiveServer.large.dropFirst())
            #expect(client.response()?.body == expected)
            let length = "Content-Length: \(expected.count)\r\n"
            #expect(client.response(toHead: true)?.head.contains(length) == true)
            #expect(client.response()?.body == expected)
            #expect(client.isAtEnd())
        }

        @Test("A client that disconnects during a file does not affect others", arguments: LiveCase.tcp)
        func reset(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            for _ in 0..<20 {
                let client = try server.connect()
                client.send("GET /file\(Self.head)\r\n")
                client.resetOnClose()
            }
            let other = try server.connect()
            other.send("GET /file\(Self.head)\r\n")
            #expect(other.response()?.status == 200)
        }

        @Test("A client that pauses too long while reading a file is disconnected", arguments: LiveCase.tcp)
        func stalledReader(_ live: LiveCase) throws {
            let server = try LiveServer(live) {
                $0.timeouts.write = .milliseconds(100)
                $0.timeouts.header = .milliseconds(500)
            }
            defer { server.stop() }
            let stalled = try server.connect()
            stalled.send(String(repeating: "GET /file\(Self.head)\r\n", count: 20))
            // The 408 shows that the server's clock has advanced.
            let clock = try server.connect()
            clock.send("GET")
            #expect(clock.response()?.status == 408)
            var responses = 0
            while stalled.response() != nil { responses += 1 }
            #expect(responses < 20)
        }
    }
}
