import Dispatch
import Glibc
import Synchronization
package import System

/// A server on 127.0.0.1 that reads a request and then performs the steps of its script, valid or not.
package final class FakeEndpoint: Sendable {
    /// A received request.
    package struct Request: Sendable {
        /// Method and target of the request line.
        package let method: String, target: String
        /// Header fields with names in lower case.
        package let headers: [String: String]
        /// The body, of the length in Content-Length.
        package let body: String
    }

    /// One action on a connection.
    package enum Step: Sendable {
        /// Sends the bytes.
        case send(String)
        /// Sends the bytes one by one with a pause after each, until the client closes.
        case dribble(String, milliseconds: UInt32)
        /// Ends the sending direction without closing.
        case finish
        /// Waits until the client closes.
        case hang
    }

    /// The steps for a request; the connection is closed after the last one.
    package typealias Script = @Sendable (Request) -> [Step]

    /// The port it listens on.
    package let port: UInt16
    private let listener: AcceptingSocket
    private let script: Mutex<Script>
    private let tls: ServerTLS?
    private let received = Mutex<[Request]>([])

    /// Starts on the port; 0 selects a free one. With `tls` it speaks TLS.
    package init(port: UInt16 = 0, tls: ServerTLS? = nil, _ script: @escaping Script) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var yes: Int32 = 1
        // All pointers are used only within their calls, with the sizes of what they point to.
        _ = unsafe setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard result else { throw RawClient.Failure(description: "bind: \(errno)") }
        self.port = UInt16(bigEndian: address.sin_port)
        self.script = Mutex(script)
        self.tls = tls
        let owned = AcceptingSocket(listener)
        self.listener = owned
        DispatchQueue(label: "fake-endpoint").async { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0, let self else { break }
                // A separate queue, because this blocks and the global one has few threads.
                DispatchQueue(label: "fake-endpoint.connection").async { self.serve(connection) }
            }
            owned.close()
        }
    }

    deinit { stop() }

    /// Stops accepting; exchanges in progress continue.
    package func stop() { listener.stop() }

    /// All received requests, in order.
    package var requests: [Request] { received.withLock { $0 } }

    /// Replaces the script for later requests.
    package func change(_ script: @escaping Script) { self.script.withLock { $0 = script } }

    private func serve(_ descriptor: Int32) {
        defer { close(descriptor) }
        var timeout = timeval(tv_sec: 20, tv_usec: 0)
        // The pointer is read only within the call.
        _ = unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        let connection = FakeConnection(descriptor, tls?.session(over: Socket(owning: dup(descriptor))))
        guard let request = connection.request() else { return }
        received.withLock { $0.append(request) }
        for step in script.withLock({ $0 })(request) {
            switch step {
            case .send(let text): guard connection.send(Array(text.utf8)) else { return }
            case .dribble(let text, let pause):
                for byte in text.utf8 {
                    guard connection.send([byte]) else { return }
                    usleep(pause * 1000)
                }
            case .finish: connection.finish()
            case .hang: while let more = connection.receive(), !more.isEmpty {}
            }
        }
    }
}

extension FakeEndpoint.Step {
    /// A complete response with Content-Length.
    package static func response(_ status: Int, _ body: String = "", fields: [String] = []) -> Self {
        let head = ["HTTP/1.1 \(status) Status", "Content-Length: \(body.utf8.count)"] + fields
        return .send(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
    }
}
