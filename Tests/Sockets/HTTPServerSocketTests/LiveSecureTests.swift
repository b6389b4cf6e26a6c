import Foundation
import SocketTestSupport
import Testing

@testable import HTTP1
@testable import HTTP1TestSupport
@testable import HTTPServer
@testable import System

extension Live {
    /// Behaviour that only exists with TLS; the other suites run with and without it.
    @Suite("Live server with TLS", .serialized)
    struct Secure {
        private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

        @Test(
            "Plain HTTP on a TLS address gets an explanation; an address without TLS serves it",
            arguments: LiveCase.secure)
        func plainHTTP(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.plainListen = [.tcp(host: "127.0.0.1", port: 0)] }
            defer { server.stop() }
            let lost = try LiveClient(server.address)
            lost.send(Self.get + String(repeating: "x", count: 100_000))
            let response = lost.response()
            #expect(response?.status == 400)
            #expect(response.map { text($0.body[...]) } == HTTPFailure.plainHTTP.reason)
            #expect(lost.isAtEnd())
            let asking = try LiveClient(server.address)
            asking.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(asking.response(toHead: true)?.status == 400)
            #expect(asking.isAtEnd())
            #expect(server.failures.all.count == 2)
            let plain = try LiveClient(server.server.boundAddresses[1])
            plain.send(Self.get)
            #expect(plain.response()?.status == 200)
        }

        static let invalidInputs: [(String, [UInt8])] = [
            ("noise", (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 197) | 0x80 }),
            ("zeros", [UInt8](repeating: 0, count: 5000)),
            ("a hello that is cut", [22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]),
            ("a hello within a hello", [22, 3, 1, 0, 9, 1, 0, 0, 5, 22, 3, 1, 0, 9]),
            ("data before the handshake", [23, 3, 3, 0, 5, 1, 2, 3, 4, 5]), ("nothing", []),
        ]

        @Test("Invalid bytes end their own connection only", arguments: LiveCase.secure, invalidInputs)
        func garbage(_ live: LiveCase, _ garbage: (String, [UInt8])) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let other = try server.connect()
            let invalid = try LiveClient(server.address)
            invalid.send(garbage.1)
            invalid.finishSending()
            #expect(invalid.response() == nil)
            other.send(Self.get)
            #expect(other.response()?.status == 200)
        }

        @Test("A slow handshake times out and delays no other client", arguments: LiveCase.secure)
        func slowHandshake(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.timeouts.header = .seconds(1) }
            defer { server.stop() }
            let hello = try ClientHello.bytes()
            let slow = try (0..<20).map { _ in try LiveClient(server.address) }
            let begun = ContinuousClock.now
            var answered = 0
            // One byte at a time to each slow client while the server keeps them, with one fast client in between. The
            // last byte is never sent: a fast machine would get to it in time.
            for byte in hello.dropLast() {
                let taken = slow.count { $0.send([byte]) }
                guard taken == slow.count else { break }
                let client = try server.connect()
                client.send(Self.get)
                #expect(client.response()?.status == 200)
                answered += 1
            }
            // A server that waited for the slow clients would have served none before disconnecting them.
            #expect(answered > 3)
            for client in slow { #expect(client.isAtEnd()) }
            #expect(ContinuousClock.now - begun < .seconds(5))
        }

        @Test("Every client of a flood of handshakes is served", arguments: LiveCase.secure)
        func flood(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let good = try server.connect()
            let hello = try ClientHello.bytes()
            let flood = try (0..<600).map { _ in try LiveClient(server.address) }
            for client in flood { client.send(hello) }
            good.send(Self.get)
            #expect(good.response()?.status == 200)
            // The others get their reply as well.
            for client in flood { #expect(client.firstByte() == 22) }
        }

        @Test("New settings apply to new connections; open ones continue", arguments: LiveCase.secure)
        func replacement(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let certificates = try TestCertificates.shared
            let old = try server.connect()
            for round in 0..<3 {
                let issued = try certificates.servers.issue("next\(round)", alternatives: "DNS:localhost")
                let settings = try ServerTLS(chain: bytes(of: issued.certificate), key: bytes(of: issued.key))
                server.tls?.replace(by: settings)
                let new = try server.connect()
                for client in [old, new] {
                    client.send(Self.get)
                    #expect(client.response()?.status == 200)
                }
                let shown = try #require(new.session?.peerFingerprint)
                #expect(shown.count == 32 && shown != old.session?.peerFingerprint)
            }
        }

        @Test("Files of any size can be sent", arguments: LiveCase.secure)
        func file(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            defer { server.stop() }
            let client = try server.connect()
            client.send(String(repeating: "GET /file HTTP/1.1\r\nHost: a\r\n\r\n", count: 3) + Self.get)
            for _ in 0..<3 { #expect(client.response()?.body == Array(LiveServer.large.dropFirst())) }
            #expect(client.response()?.status == 200)
        }

        @Test("A connection above the limit is closed without a handshake", arguments: LiveCase.secure)
        func connectionLimit(_ live: LiveCase) throws {
            let server = try LiveServer(live) { $0.limits.connections = 1 }
            defer { server.stop() }
            let first = try server.connect()
            #expect(throws: LiveClient.Failure.self) { try server.connect() }
            first.send(Self.get)
            #expect(first.response()?.status == 200)
        }

        @Test("At a stop, idle connections get a close_notify alert", arguments: LiveCase.secure)
        func stop(_ live: LiveCase) throws {
            let server = try LiveServer(live)
            let client = try server.connect()
            client.send(Self.get)
            #expect(client.response()?.status == 200)
            server.stop()
            #expect(client.isAtEnd())
        }
    }
}

/// The first message of a handshake, written by our client.
enum ClientHello {
    static func bytes() throws -> [UInt8] {
        let sockets = try joined()
        defer { close(sockets[1]) }
        let client = try ClientTLS(trusting: .anyone).session(with: "localhost", over: Socket(owning: sockets[0]))
        guard client.handshake() == .wantsRead else { throw LiveClient.Failure(code: EPROTO) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        // The kernel writes at most the array's count.
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(sockets[1], $0.baseAddress, $0.count, 0) }
        return Array(buffer[..<max(0, count)])
    }

    private static func joined() throws -> [Int32] {
        var pair: [Int32] = [0, 0]
        // The call fills the two elements.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
        guard result == 0 else { throw LiveClient.Failure(code: errno) }
        return pair
    }
}
