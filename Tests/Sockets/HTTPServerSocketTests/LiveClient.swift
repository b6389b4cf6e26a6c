import Glibc
import HTTPServer
import System

@testable import HTTP1TestSupport

/// A blocking client that sends raw bytes, with or without TLS, and limits every wait.
final class LiveClient {
    struct Failure: Error { var code: Int32 }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private(set) var session: TLSSession?
    /// With TLS: whether the server closed without a close_notify alert.
    private(set) var isCut = false
    /// Whether nothing arrived for 10 seconds.
    private var isLeftWaiting = false

    init(_ address: ListenAddress, _ tls: ClientTLS? = nil) throws {
        switch address {
        case .unix(let path, _):
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            // The copy traps where the path is longer than the field.
            unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            try Self.connect(descriptor, &name)
        case .tcp(let host, let port) where host.utf8.contains(0x3A):
            descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in6()
            name.sin6_family = sa_family_t(AF_INET6)
            name.sin6_port = port.bigEndian
            name.sin6_addr = in6addr_loopback
            try Self.connect(descriptor, &name)
        case .tcp(_, let port):
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_port = port.bigEndian
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try Self.connect(descriptor, &name)
        }
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        // The calls read the structure, whose size is passed.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        guard let tls else { return }
        let session = try tls.session(with: "localhost", over: Socket(owning: dup(descriptor)))
        guard case .done = Self.finished(session.handshake) else { throw Failure(code: EPROTO) }
        self.session = session
    }

    /// The outcome of a step that no longer waits for the socket; the step may have to be repeated.
    private static func finished(_ step: () -> TLSSession.Outcome) -> TLSSession.Outcome {
        let deadline = ContinuousClock.now + .seconds(10)
        while true {
            let outcome = step()
            guard outcome == .wantsRead || outcome == .wantsWrite, .now < deadline else { return outcome }
        }
    }

    /// Performs the TLS handshake with a server that the same thread drives.
    func shakeHands(_ tls: ClientTLS, driving turn: () -> Void) throws {
        let flags = fcntl(descriptor, F_GETFL)
        _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
        defer { _ = fcntl(descriptor, F_SETFL, flags) }
        let session = try tls.session(with: "localhost", over: Socket(owning: dup(descriptor)))
        let outcome = Self.finished {
            turn()
            return session.handshake()
        }
        guard case .done = outcome else { throw Failure(code: EPROTO) }
        self.session = session
    }

    deinit { close(descriptor) }

    private static func connect<Name>(_ descriptor: Int32, _ name: inout Name) throws {
        // The call reads the structure, whose size is passed.
        let result = unsafe withUnsafePointer(to: &name) {
            unsafe Glibc.connect(
                descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<Name>.size))
        }
        guard result == 0 else { throw Failure(code: errno) }
    }

    /// Sends all of `text`; returns whether the socket accepted it.
    @discardableResult
    func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            if let session {
                let rest = bytes.span.extracting(sent..<bytes.count)
                guard case .done(let count) = Self.finished({ session.write(rest) }) else { return false }
                sent += count
                continue
            }
            let rest = bytes[sent...]
            // The kernel reads these bytes within the call.
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func finishSending() {
        session?.shutdown()
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends all of `text` and the FIN in one segment, so that the server sees both at once; only without TLS.
    func sendLast(_ text: String) {
        let bytes = Array(text.utf8)
        // The kernel reads these bytes within the call.
        let count = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_MORE))
        }
        precondition(count == bytes.count)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Sends a byte of urgent data; only without TLS.
    func sendUrgent(_ byte: UInt8) {
        var byte = byte
        // The kernel reads the one byte.
        _ = unsafe Glibc.send(descriptor, &byte, 1, Int32(MSG_NOSIGNAL | MSG_OOB))
    }

    /// Sends `text` with a descriptor; only over a Unix socket.
    func send(_ text: String, passing passed: Int32) {
        var bytes = Array(text.utf8)
        // A cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS; then the descriptor. Everything the message refers to outlives
        // the call.
        var control: [UInt64] = [20, UInt64(SOL_SOCKET) | 1 << 32, UInt64(passed)]
        let sent = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
        precondition(sent == text.utf8.count)
    }

    /// Makes the close send RST.
    func resetOnClose() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        // The call reads the structure, whose size is passed.
        unsafe setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
    }

    /// Reads more; false at the end, after a reset, and after 10 seconds.
    func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        if let session {
            var span = chunk.mutableSpan
            let outcome = Self.finished { session.read(into: &span) }
            guard case .done(let count) = outcome else {
                isCut = outcome != .closed
                return false
            }
            buffer += chunk[..<count]
            return true
        }
        // The kernel writes at most as many bytes as the array has.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else {
            isLeftWaiting = count < 0 && errno == EAGAIN
            return false
        }
        buffer += chunk[..<count]
        return true
    }

    /// The next response: its status, head, and body of the length in Content-Length; nil if none arrives.
    func response(toHead: Bool = false) -> (status: Int, head: String, body: [UInt8])? {
        var end: Int?
        var searched = 0
        while end == nil {
            for index in searched..<max(searched, buffer.count - 3)
            where buffer[index..<(index + 4)].elementsEqual("\r\n\r\n".utf8) {
                end = index + 4
                break
            }
            searched = max(0, buffer.count - 3)
            if end == nil, !fill() { return nil }
        }
        let head = text(buffer[..<(end ?? 0)])
        buffer.removeFirst(end ?? 0)
        let status = Int(head.dropFirst(9).prefix(3)) ?? 0
        let length = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap {
            Int($0.dropFirst(16))
        }
        let count = toHead ? 0 : length ?? 0
        while buffer.count < count { if !fill() { return nil } }
        let body = Array(buffer[..<count])
        buffer.removeFirst(count)
        return (status, head, body)
    }

    /// The first unread byte; nil at the end.
    func firstByte() -> UInt8? { buffer.isEmpty && !fill() ? nil : buffer.first }

    /// Whether unread input has arrived.
    var hasBytes: Bool {
        var byte: UInt8 = 0
        // The kernel writes at most the one byte.
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 1
    }

    /// Whether the server has closed the connection without further output.
    func isAtEnd() -> Bool { buffer.isEmpty && !fill() && !isCut && !isLeftWaiting }
}
