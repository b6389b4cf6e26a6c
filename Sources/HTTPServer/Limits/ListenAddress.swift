import HTTP1
import System
import Text

/// Where a server listens.
package enum ListenAddress: Sendable, Equatable {
    /// An IPv4 or IPv6 literal, `localhost` (127.0.0.1), or the empty text: every address of the machine, IPv6 and
    /// IPv4. Port 0 takes any free port.
    case tcp(host: String, port: UInt16)
    /// A Unix socket with this path and file mode.
    case unix(path: String, mode: UInt16)

    /// Whether its connections may cross a network.
    package var isTCP: Bool {
        if case .tcp = self { true } else { false }
    }
}

/// A listen address that cannot be read.
package struct ListenAddressError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, and how to mend it.
    package let description: String
}

extension ListenAddress {
    /// Reads `0.0.0.0:8080`, `[::]:8080`, `localhost:8080`, `:8080` or `unix:/path` (with mode 0660).
    package static func parse(_ text: String) throws(ListenAddressError) -> ListenAddress {
        let bytes = Array(text.utf8)
        if bytes.starts(with: "unix:".utf8) {
            let path = String(decoding: bytes.dropFirst(5), as: UTF8.self)
            guard !path.isEmpty, !bytes.contains(0) else {
                throw ListenAddressError(
                    description: "the listen address 'unix:' needs a path, as in 'unix:/run/presign.sock'")
            }
            return .unix(path: path, mode: 0o660)
        }
        guard let colon = bytes.lastIndex(of: ASCII.colon), let port = port(bytes[(colon + 1)...]) else {
            throw unreadable(text)
        }
        var host = bytes[..<colon]
        if host.first == ASCII.leftBracket, host.last == ASCII.rightBracket, host.count > 2 {
            host = host.dropFirst().dropLast()
            guard host.contains(ASCII.colon) else { throw unreadable(text) }
        } else if host.contains(ASCII.colon) {
            throw unreadable(text)
        }
        let name = String(decoding: host, as: UTF8.self)
        guard name.isEmpty || name == "localhost" || SocketAddress.isLiteral(name) else { throw unreadable(text) }
        return .tcp(host: name, port: port)
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        Int(decimal: digits.span, in: 0...65_535).map { UInt16($0) }
    }

    private static func unreadable(_ text: String) -> ListenAddressError {
        ListenAddressError(
            description: "the listen address '\(text)' is not understood: write an IP address and a port, as in "
                + "'127.0.0.1:8080', '[::1]:8080' or ':8080', or 'unix:' and a path")
    }
}

extension ListenAddress: CustomStringConvertible {
    /// In the form `parse` reads.
    package var description: String {
        switch self {
        case .tcp(let host, let port): host.utf8.contains(ASCII.colon) ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .unix(let path, _): "unix:\(path)"
        }
    }
}
