import CPlatform
import Glibc
package import System
import Text

/// A plain HTTP request to a server on this machine, for a container's health check.
package enum HealthProbe {
    /// The address on which the server listens.
    package enum Address: Sendable, Equatable {
        case ipv4(String, port: UInt16)
        case ipv6(String, port: UInt16)
        case unix(path: String)
    }

    /// Returns the status code of the response to `GET path`.
    ///
    /// - Parameter timeout: for each step (connect, send, receive), in seconds.
    /// - Throws: `SystemError` if nothing responds, `EPROTO` if the response is not HTTP.
    package static func status(of path: String, at address: Address, timeout: Int = 2) throws(SystemError) -> Int {
        let descriptor = try connected(to: address, timeout: timeout)
        defer { close(descriptor) }
        let request = request(for: path)
        // unsafe: the pointer is used only during the call. The request fits in the socket's buffer, so one call sends
        // it.
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { throw SystemError(errno) }
        return try status(in: try statusLine(from: descriptor))
    }

    /// Like `status(of:at:timeout:)`, but `exchange` sends the request and returns at least the first `statusLineCount`
    /// bytes of the response.
    ///
    /// - Throws: also the errors of `exchange`.
    package static func status(
        of path: String, at address: Address, timeout: Int = 2,
        exchange: (_ descriptor: Int32, _ request: [UInt8]) throws -> [UInt8]
    ) throws -> Int {
        let descriptor = try connected(to: address, timeout: timeout)
        defer { close(descriptor) }
        return try status(in: try exchange(descriptor, request(for: path)))
    }

    /// The number of bytes from the start of a response to the end of its status code.
    package static let statusLineCount = 12

    private static func request(for path: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    }

    private static func status(in response: [UInt8]) throws(SystemError) -> Int {
        let prefix = Array("HTTP/1.1 ".utf8)
        let digits = response.dropFirst(prefix.count).prefix(3)
        guard response.starts(with: prefix), let status = Int(decimal: digits.span) else {
            throw SystemError(EPROTO)
        }
        return status
    }

    private static func connected(to address: Address, timeout: Int) throws(SystemError) -> Int32 {
        // unsafe: the calls read NUL-terminated copies of the strings.
        let descriptor: Int32 =
            switch address {
            case .ipv4(let host, let port): unsafe presign_connect_ipv4(host, port, Int32(timeout))
            case .ipv6(let host, let port): unsafe presign_connect_ipv6(host, port, Int32(timeout))
            case .unix(let path): unsafe presign_connect_unix(path, Int32(timeout))
            }
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
        return descriptor
    }

    private static func statusLine(from descriptor: Int32) throws(SystemError) -> [UInt8] {
        var response: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64)
        while response.count < statusLineCount {
            let count = try SystemError.retryingOnInterrupt {
                // unsafe: the pointer is used only during the call, with the array's count.
                unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            }
            guard count > 0 else { throw SystemError(EPROTO) }
            response += chunk.prefix(count)
        }
        return response
    }
}
