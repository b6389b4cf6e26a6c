import Glibc

/// A client that sends the bytes it is given and reads what comes back: nothing is repaired on the way.
package final class RawClient {
    /// What went wrong, in a line.
    package struct Failure: Error, CustomStringConvertible {
        /// The line.
        package let description: String

        /// A failure with this line.
        package init(description: String) { self.description = description }
    }

    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Connects to 127.0.0.1; every later wait ends after 20 seconds.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw Failure(description: "socket: \(errno)") }
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // Both pointers are used within their calls only, with the sizes of what they point to.
        let size = socklen_t(MemoryLayout<timeval>.size)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends a text's bytes; false when the connection is gone.
    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    /// Sends all bytes; false when the connection is gone.
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

    /// Sends no more.
    package func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The next whole response; nil when the connection ends before its first byte.
    ///
    /// - Parameter omitsBody: the request was a HEAD.
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

    /// True when the server closes without another byte.
    package func isClosedByServer() throws -> Bool {
        guard received.isEmpty else { return false }
        return try !receive()
    }

    /// Reads once; false at the end of the stream.
    private func receive() throws -> Bool {
        var chunk = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            // The pointer is used within the call only and bounded by the array's own count.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(description: "recv: \(errno)") }
            received += chunk.prefix(count)
            return count > 0
        }
    }
}
