import CPlatform
import Glibc
package import System
import Text

/// One plain HTTP exchange with a server on this machine, for the container's health check.
package enum HealthProbe {
    /// Where the server listens.
    package enum Address: Sendable, Equatable {
        case ipv4(String, port: UInt16)
        case ipv6(String, port: UInt16)
        case unix(path: String)
    }

    /// The status code that `GET path` is answered with.
    ///
    /// - Parameter timeout: for each step (connect, send, receive), in seconds.
    /// - Throws: `SystemError` when nobody answers, `EPROTO` when the answer is not HTTP.
    package static func status(of path: String, at address: Address, timeout: Int = 2) throws(SystemError) -> Int {
        let descriptor = try connected(to: address, timeout: timeout)
        defer { close(descriptor) }
        let request = request(for: path)
        // The request is far smaller than a socket's buffer, so one call takes it whole.
        let sent = unsafe request.withUnsafeBytes {
            unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent == request.count else { throw SystemError(errno) }
        return try status(in: try statusLine(from: descriptor))
    }

    /// Like `status(of:at:timeout:)`, but `exchange` sends the request and returns the answer's beginning, at least the
    /// first `statusLineCount` bytes.
    ///
    /// - Throws: what `exchange` throws, too.
    package static func status(
        of path: String, at address: Address, timeout: Int = 2,
        exchange: (_ descriptor: Int32, _ request: [UInt8]) throws -> [UInt8]
    ) throws -> Int {
        let descriptor = try connected(to: address, timeout: timeout)
        defer { close(descriptor) }
        return try status(in: try exchange(descriptor, request(for: path)))
    }

    /// How many bytes of an answer tell its status.
    package static let statusLineCount = 12

    private static func request(for path: String) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
    }

    private static func status(in answer: [UInt8]) throws(SystemError) -> Int {
        let prefix = Array("HTTP/1.1 ".utf8)
        let digits = answer.dropFirst(prefix.count).prefix(3)
        guard answer.starts(with: prefix), let status = Int(decimal: digits.span) else {
            throw SystemError(EPROTO)
        }
        return status
    }

    private static func connected(to address: Address, timeout: Int) throws(SystemError) -> Int32 {
        // unsafe: the shims read copies of the texts, which end in a zero, and keep nothing.
        let descriptor: Int32 =
            switch address {
            case .ipv4(let host, let port): unsafe presign_connect_ipv4(host, port, Int32(timeout))
            case .ipv6(let host, let port): unsafe presign_connect_ipv6(host, port, Int32(timeout))
            case .unix(let path): unsafe presign_connect_unix(path, Int32(timeout))
            }
        // The shims answer -errno, so that nothing between can change errno.
        guard descriptor >= 0 else { throw SystemError(-descriptor) }
        return descriptor
    }

    private static func statusLine(from descriptor: Int32) throws(SystemError) -> [UInt8] {
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64)
        while answer.count < statusLineCount {
            let count = try SystemError.retryingOnInterrupt {
                // The pointer is used within the call only and bounded by the array's own count.
                unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
            }
            guard count > 0 else { throw SystemError(EPROTO) }
            answer += chunk.prefix(count)
        }
        return answer
    }
}
