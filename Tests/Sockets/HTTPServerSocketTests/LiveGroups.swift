import HTTP1
import HTTPServer
import TestSupport
import Testing

extension Live {
    @Suite("Live server: simultaneous clients", .serialized)
    struct Groups {
        /// What one of many simultaneous clients does, and what it expects then.
        private enum Behaviour: CaseIterable {
            case asks, pipelines, sendsHalf, sendsMuch, closes, ends, asksAndEnds, errs, waits, isRefused, wantsMuch,
                wantsFile,
                resets
        }

        private static func post(_ path: String, _ body: String, _ field: String = "") -> String {
            "POST \(path) HTTP/1.1\r\nHost: a\r\n\(field)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        /// More input than the loop reads from a group of connections before it responds.
        private static func much(_ text: String) -> String {
            String(repeating: text + " ", count: 40_000 / (text.utf8.count + 1))
        }

        private static func begin(_ behaviour: Behaviour, _ client: LiveClient, _ name: String) {
            switch behaviour {
            case .asks: client.send(post("/", name))
            case .pipelines: client.send((0..<50).map { post("/", "\(name) \($0)") }.joined())
            case .sendsHalf: client.send(String(post("/", name).dropLast(2)))
            case .sendsMuch: client.send(post("/", much(name)))
            case .closes: client.send(post("/", name, "Connection: close\r\n"))
            case .ends: client.finishSending()
            case .asksAndEnds: client.sendLast(post("/", name))
            case .errs: client.send("GET /\(name) HTTP/1.1\r\nHost : a\r\n\r\n")
            case .waits: client.send(post("/defer", name) + post("/", name))
            case .isRefused: client.send(post("/refuse", name) + post("/", name))
            case .wantsMuch: client.send(post("/large", name) + post("/", name))
            case .wantsFile: client.send(post("/short", name) + post("/", name))
            case .resets:
                client.send(post("/", name))
                client.resetOnClose()
            }
        }

        /// Whether the client gets the expected statuses and bodies from then on.
        private static func getsItsResponses(_ behaviour: Behaviour, _ client: LiveClient, _ name: String) -> Bool {
            func isAnswered(_ status: Int, _ body: String? = nil) -> Bool {
                guard let response = client.response() else { return false }
                return response.status == status && (body.map { response.body == Array($0.utf8) } ?? true)
            }
            switch behaviour {
            case .asks: return isAnswered(200, name)
            case .pipelines: return (0..<50).allSatisfy { isAnswered(200, "\(name) \($0)") }
            case .sendsHalf:
                client.send(String(name.suffix(2)))
                return isAnswered(200, name)
            case .sendsMuch: return isAnswered(200, much(name))
            case .closes, .asksAndEnds: return isAnswered(200, name) && client.isAtEnd()
            case .ends: return client.isAtEnd()
            case .errs: return isAnswered(400) && client.isAtEnd()
            case .waits: return isAnswered(202) && isAnswered(200, name)
            case .isRefused: return isAnswered(401) && isAnswered(200, name)
            case .wantsMuch: return client.response()?.body == LiveServer.large && isAnswered(200, name)
            case .wantsFile: return isAnswered(200, "xxxxxxxxxx") && isAnswered(200, name)
            case .resets: return true
            }
        }

        @Test(
            "Each of many simultaneous clients gets its own response, whatever the others do",
            arguments: LiveCase.tcp + [
                LiveCase(address: "unix:")
            ], [65_536, 1])
        func mixed(_ live: LiveCase, bufferedResponseBytes: Int) throws {
            let server = try LiveServer(live) {
                $0.loops = 1
                $0.limits.bodyBytes = 1 << 20
                $0.limits.bufferedResponseBytes = bufferedResponseBytes
            }
            defer { server.stop() }
            var random = SeededGenerator(seed: UInt64(bufferedResponseBytes))
            for _ in 0..<4 {
                let clients = try Array(repeating: Behaviour.allCases, count: 8).joined().shuffled(using: &random)
                    .enumerated().map { (behaviour: $1, name: "client \($0)", client: try server.connect()) }
                for (_, name, client) in clients { client.send(Self.post("/", name)) }
                for (_, name, client) in clients { #expect(client.response()?.body == Array(name.utf8)) }
                try server.sendAtOnce {
                    for (behaviour, name, client) in clients { Self.begin(behaviour, client, name) }
                }
                for (behaviour, name, client) in clients {
                    #expect(Self.getsItsResponses(behaviour, client, name), "\(name), \(behaviour)")
                }
            }
        }
    }
}
