import HTTP1
import System
import Text

/// An address that a server listens on.
package enum ListenAddress: Sendable, Equatable {
    /// An IPv4 or IPv6 literal, `localhost` (127.0.0.1), or an empty host for all IPv6 and IPv4 addresses of the
    /// machine. Port 0 selects any free port.
    case tcp(host: String, port: UInt16)
    /// A Unix socket with this path and file mode.
    case unix(path: String, mode: UInt16)

    /// The address at which this machine reaches the listener: a loopback address if it listens on all addresses.
    package var reachable: ListenAddress {
        guard case .tcp(let host, let port) = self else { return self }
        switch host {
        case "", "0.0.0.0": return .tcp(host: "127.0.0.1", port: port)
        case "::": return .tcp(host: "::1", port: port)
        default: return self
        }
    }

    /// Whether connections to it may cross a network.
    package var isTCP: Bool {
        if case .tcp = self { true } else { false }
    }

    /// Parses `0.0.0.0:8080`, `[::]:8080`, `localhost:8080`, `:8080` or `unix:/path` (with mode 0660).
    package static func parse(_ text: String) throws(HTTPServerError) -> ListenAddress {
        let bytes = Array(text.utf8)
        if bytes.starts(with: "unix:".utf8) {
            let path = String(decoding: bytes.dropFirst(5), as: UTF8.self)
            guard !path.isEmpty, !bytes.contains(0) else {
                throw HTTPServerError(
                    description: "the listen address 'unix:' needs a path, such as 'unix:/run/presign.sock'")
            }
            return .unix(path: path, mode: 0o660)
        }
        guard let authority = try? Authority(bytes.span, allowsEmptyHost: true), let port = authority.port else {
            throw unreadable(text)
        }
        var host = bytes[authority.hostRange]
        switch authority.host {
        case .address(.v4): break
        case .address(.v6(let high, let low)): host = Array(IPAddress.v6(high, low).description.utf8)[...]
        case .name: guard host.isEmpty || host.elementsEqual("localhost".utf8) else { throw unreadable(text) }
        }
        return .tcp(host: String(decoding: host, as: UTF8.self), port: port)
    }

    private static func unreadable(_ text: String) -> HTTPServerError {
        let port = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).dropFirst().last
        if let port, !port.isEmpty, port.allSatisfy(ASCII.isDigit), UInt16(String(Substring(port))) == nil {
            return HTTPServerError(
                description: "'\(text)' is not a listen address: the port must be at most \(UInt16.max)")
        }
        return HTTPServerError(
            description: "'\(text)' is not a listen address: use an IP address and a port, such as '127.0.0.1:8080', "
                + "'[::1]:8080' or ':8080', or 'unix:' and a path")
    }
}

extension ListenAddress: CustomStringConvertible {
    /// The address in the form that `parse` reads.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.utf8.contains(ASCII.colon) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        }
    }
}
