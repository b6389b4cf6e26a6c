import Foundation
import SocketTestSupport
import Synchronization

/// A loopback server that sends the scripted bytes for each request.
final class ScriptedServer: Sendable {
    /// The response to a request with this head; nil sends nothing, an empty string closes.
    typealias Script = @Sendable (_ head: String) -> String?

    let port: UInt16
    private let listener: AcceptingSocket
    private let accepted = Counter()

    /// The number of accepted connections.
    var connections: Int { accepted.value }
    var url: String { "http://127.0.0.1:\(port)" }

    init(_ script: @escaping Script) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The address is local; the casts are what the sockets API requires.
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 600) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else { throw POSIXError(.EADDRINUSE) }
        let owned = AcceptingSocket(listener)
        self.listener = owned
        port = UInt16(bigEndian: address.sin_port)
        let accepted = accepted
        Thread.detachNewThread {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { return owned.close() }
                accepted.add()
                Thread.detachNewThread { Self.serve(connection, script) }
            }
        }
    }

    func stop() {
        listener.stop()
    }

    private static func serve(_ connection: Int32, _ script: Script) {
        defer { close(connection) }
        var received = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            while let end = received.range(of: "\r\n\r\n") {
                let head = String(received[..<end.lowerBound])
                received.removeSubrange(..<end.upperBound)
                guard let response = script(head) else { continue }
                if response.isEmpty { return }
                let bytes = Array(response.utf8)
                // The kernel reads the array's bytes within the call.
                guard unsafe send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else { return }
            }
            // The kernel writes at most as many bytes as the array has.
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return }
            received += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add() { count.withLock { $0 += 1 } }
}
