import Dispatch
import Glibc
import SocketTestSupport
import TestSupport
import Testing

@testable import HTTP1
@testable import HTTPServer
@testable import HTTPServerTestSupport
@testable import System

extension Live {
    @Suite("Inherited listening sockets", .serialized)
    struct InheritedListeners {
        @Test("Loops share an inherited socket, report its address, and leave it open at the end")
        func sharing() throws {
            for address in ["127.0.0.1:0", "unix:/tmp/http-inherited-\(getpid()).sock"] + IPv6.loopback {
                try expectSharing(address)
            }
        }

        private func expectSharing(_ address: String) throws {
            let (given, descriptor) = try bound(address)
            // As systemd passes it.
            #expect(fcntl(descriptor, F_SETFL, 0) == 0)
            for _ in 0..<2 {
                let copy = dup(descriptor)
                let server = HTTPServer(
                    configuration: HTTPServerConfiguration(listen: [], loops: 3), inheriting: [copy]
                ) { _ in ScriptedHandler() }
                try server.start()
                #expect(server.boundAddresses.map(\.description) == [given.description])
                for _ in 0..<50 {
                    let client = try LiveClient(given)
                    client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    #expect(client.response()?.status == 200)
                }
                #expect(fcntl(copy, F_GETFD) == FD_CLOEXEC && isSameSocket(copy, descriptor))
                server.shutdown()
                server.wait()
                #expect(server.failure == nil && !isSameSocket(copy, descriptor), "the copy was not closed")
                // Without a server the connection is not refused; the next server accepts it.
                let waiting = try LiveClient(given)
                waiting.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                let next = HTTPServer(
                    configuration: HTTPServerConfiguration(listen: [], loops: 2),
                    inheriting: [dup(descriptor)]
                ) { _ in ScriptedHandler() }
                try next.start()
                #expect(waiting.response()?.status == 200)
                next.shutdown()
                next.wait()
            }
            close(descriptor)
            // The call reads a NUL-terminated copy of the path.
            if case .unix(let path, _) = given { #expect(unsafe unlink(path) == 0, "its file was taken away") }
        }

        /// Whether both descriptors refer to the same socket. The number of a closed one may be reused by tests that
        /// run at the same time.
        private func isSameSocket(_ one: Int32, _ other: Int32) -> Bool {
            var (status, otherStatus) = (stat(), stat())
            // The calls fill our structures.
            return unsafe fstat(one, &status) == 0 && fstat(other, &otherStatus) == 0
                && status.st_ino == otherStatus.st_ino && status.st_dev == otherStatus.st_dev
        }

        private func bound(_ text: String) throws -> (ListenAddress, Int32) {
            let listener = try Listener(try ListenAddress.parse(text), loops: 1, backlog: 64)
            return (listener.address, dup(listener.sockets[0].descriptor))
        }

        @Test("An unusable descriptor is rejected with the reason")
        func refusals() throws {
            // The call reads a NUL-terminated text.
            let file = unsafe open("/dev/null", O_RDONLY)
            let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            let idle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            let cases = [
                (file, "it is not a socket"), (datagrams, "it is not a TCP or Unix stream socket: use ListenStream"),
                (idle, "it is not a listening socket: use Accept=no"),
                (1_000_000, "Bad file descriptor"),
            ]
            for (descriptor, reason) in cases {
                let server = HTTPServer(configuration: HTTPServerConfiguration(listen: []), inheriting: [descriptor]) {
                    _ in
                    ScriptedHandler()
                }
                #expect {
                    try server.start()
                } throws: {
                    "\($0)".contains("inherited descriptor \(descriptor): \(reason)")
                }
                close(descriptor)
            }
        }

        @Test("A socket that its owner shut down does not affect the others")
        func ended() throws {
            let sockets = try (0..<3).map { _ in try bound("127.0.0.1:0") }
            let server = HTTPServer(
                configuration: HTTPServerConfiguration(listen: [], loops: 1),
                inheriting: sockets.map { dup($0.1) }
            ) { _ in ScriptedHandler() }
            try server.start()
            for ended in [0, 2] { #expect(Glibc.shutdown(sockets[ended].1, Int32(SHUT_RDWR)) == 0) }
            for _ in 0..<20 {
                let client = try LiveClient(sockets[1].0)
                client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                #expect(client.response()?.status == 200)
            }
            server.shutdown()
            server.wait()
            #expect(server.failure == nil)
            for (_, descriptor) in sockets { close(descriptor) }
        }

        @Test("Running, idle and ended loops count as responsive; a blocked one does not")
        func rounds() throws {
            let server = try LiveServer(LiveCase.tcp[0])
            #expect(server.server.areLoopsResponsive())
            #expect(becomesTrue { server.server.areLoopsResponsive() })
            server.stop()
            #expect(server.server.areLoopsResponsive() && server.server.areLoopsResponsive())

            let (entered, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let stuck = HTTPServer(
                configuration: HTTPServerConfiguration(listen: [try ListenAddress.parse("127.0.0.1:0")], loops: 2)
            ) { _ in
                let handler = ScriptedHandler()
                handler.makeResponse = { _, _ in
                    entered.signal()
                    opened.wait()
                    return HTTPResponse(status: 200)
                }
                return handler
            }
            try stuck.start()
            let client = try LiveClient(stuck.boundAddresses[0])
            client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            entered.wait()
            _ = stuck.areLoopsResponsive()
            for _ in 0..<20 { #expect(!stuck.areLoopsResponsive()) }
            opened.signal()
            #expect(client.response()?.status == 200)
            #expect(becomesTrue { stuck.areLoopsResponsive() })
            client.finishSending()
            stuck.shutdown()
            stuck.wait()
        }
    }
}
