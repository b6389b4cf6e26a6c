import Glibc
import SocketTestSupport
import TestSupport
import Testing

@testable import HTTPServer
@testable import System

@Suite("Listeners and the sockets they accept")
struct ListenerTests {
    private func option(_ descriptor: Int32, _ level: Int32, _ name: Int32) -> Int32 {
        var value: Int32 = -1
        var size = socklen_t(MemoryLayout<Int32>.size)
        // The kernel writes at most `size` bytes into the number.
        return unsafe getsockopt(descriptor, level, name, &value, &size) == 0 ? value : -1
    }

    /// The listener's result for a client that has sent something.
    private func accepted(_ listener: Listener) throws -> (socket: Socket, peer: PeerAddress) {
        var accepted: (Socket, PeerAddress)?
        _ = becomesTrue {
            if case .connection(let socket, let peer) = listener.sockets[0].accept() {
                accepted = (socket, peer)
            }
            return accepted != nil
        }
        return try #require(accepted)
    }

    @Test("The file of a Unix socket has its mode, whatever the umask", arguments: [0o600, 0o666] as [UInt16])
    func mode(_ mode: UInt16) throws {
        let path = "/tmp/http-mode-\(getpid())-\(mode).sock"
        let listener = try Listener(.unix(path: path, mode: mode), loops: 1, backlog: 1)
        defer { listener.removeFile() }
        var status = stat()
        // The call fills the structure.
        #expect(unsafe lstat(path, &status) == 0)
        #expect(status.st_mode & 0o7777 == mode_t(mode))
    }

    @Test("The IPv6 wildcard address accepts IPv4 too", .enabled(if: IPv6.isAvailable, "this machine has no IPv6"))
    func bothFamilies() throws {
        let listener = try Listener(.tcp(host: "::", port: 0), loops: 1, backlog: 1)
        defer { listener.removeFile() }
        guard case .tcp(_, let port) = listener.address else { return }
        let client = try LiveClient(.tcp(host: "127.0.0.1", port: port))
        client.send("GET")
        #expect(try accepted(listener).peer == .ipv4(0x7F00_0001))
    }

    @Test("Accepted sockets are non-blocking, without Nagle delay, closed on exec, and have small kernel buffers")
    func options() throws {
        let listener = try Listener(.tcp(host: "127.0.0.1", port: 0), loops: 1, backlog: 1)
        defer { listener.removeFile() }
        let client = try LiveClient(listener.address)
        client.send("GET")
        let socket = try accepted(listener).socket
        let descriptor = socket.descriptor
        #expect(fcntl(descriptor, F_GETFL) & O_NONBLOCK != 0)
        #expect(option(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY) == 1)
        #expect(fcntl(descriptor, F_GETFD) == FD_CLOEXEC)
        // The kernel reports twice the requested size.
        #expect(option(descriptor, SOL_SOCKET, SO_RCVBUF) <= 64 * 1024)
        #expect(option(descriptor, SOL_SOCKET, SO_SNDBUF) <= 128 * 1024)
        // Connections without data are accepted too; otherwise a stop would miss them.
        #expect(option(listener.sockets[0].descriptor, Int32(IPPROTO_TCP), TCP_DEFER_ACCEPT) == 0)
        withExtendedLifetime(socket) {}
    }
}
