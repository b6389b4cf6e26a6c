import Glibc

/// A client that sends raw bytes and reads the responses without correcting anything.
package final class RawClient {
    /// A failed call, described in one line.
    package struct Failure: Error, CustomStringConvertible {
        /// The description.
        package let description: String

        /// Creates a failure with this description.
        package init(description: String) { self.description = description }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to a port of 127.0.0.1.
    ///
    /// - Parameter timeout: the limit of every later wait, in seconds.
    package convenience init(port: UInt16, timeout: Int = 20) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try self.init(family: AF_INET, address, timeout)
    }

    /// Connects to a Unix socket. Every later wait is limited to 20 seconds.
    package convenience init(path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { throw Failure(description: "the path is too long") }
        // The path fits, and the rest of the member is zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        try self.init(family: AF_UNIX, address, 20)
    }

    private init<Address>(family: Int32, _ address: Address, _ timeout: Int) throws {
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
        var timeout = timeval(tv_sec: timeout, tv_usec: 0)
        // Both pointers are used only within their calls, with the sizes of what they point to.
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, size)
        let result = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends a string's bytes; false if the connection is closed.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes; false if the connection is closed.
    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            // The call reads the array's own bytes, from `sent` to its end.
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Ends the sending direction.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next complete response; nil if the connection ends before its first byte.
    ///
    /// - Parameter omitsBody: Whether the request was a HEAD.
    package func response(omitsBody: Bool = false) throws -> RawResponse? {
        while true {
            if let (response, length) = try RawResponse.parse(received, omitsBody: omitsBody) {
                received.removeFirst(length)
                return response
            }
            guard try receive() else {
                guard received.isEmpty else { throw Failure(description: "the response was cut short") }
                return nil
            }
        }
    }

    /// All bytes until the connection ends, in whatever way, or until none comes for the time of the limit.
    package func rest() -> [UInt8] {
        while (try? receive()) == true {}
        defer { received = [] }
        return received
    }

    /// Whether a byte or the end of the stream can be read at once.
    package var hasInput: Bool {
        get throws {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The pointer is used only within the call.
            let count = unsafe poll(&event, 1, 0)
            guard count >= 0 else { throw Failure(description: "poll: \(errno)") }
            return count > 0
        }
    }

    /// Whether the server closes without another byte.
    package func isClosedByServer() throws -> Bool {
        guard received.isEmpty else { return false }
        return try !receive()
    }

    /// Reads once; false at the end of the stream.
    private func receive() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The pointer is used only within the call and bounded by the array's count.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "recv: \(errno)") }
            received += chunk.prefix(count)
            return count > 0
        }
    }
}
