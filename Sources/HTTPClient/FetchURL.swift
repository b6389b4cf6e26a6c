package import System
import Text

/// An `http` or `https` URL taken apart for one request: absolute, ASCII, without user information and fragment.
package struct FetchURL: Sendable, Equatable {
    /// What stands for the server.
    package enum Host: Sendable, Equatable {
        /// An IP address, written as such.
        case address(PeerAddress)
        /// A name, in lower case, to be resolved.
        case name(String)
    }

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The server.
    package let host: Host
    /// The port, the scheme's own when there is none.
    package let port: UInt16
    /// Path and query, at least "/".
    package let target: String
    /// Host and port as the `Host` field has them (RFC 9110, section 7.2).
    package let authority: String

    /// Reads a URL; nil for anything else, also for bytes that a request line cannot hold.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy(ASCII.isVisible), !bytes.contains(UInt8(ascii: "#")) else { return nil }
        isSecure = bytes.span.startsIgnoringCase(with: "https://")
        guard isSecure || bytes.span.startsIgnoringCase(with: "http://") else { return nil }
        let rest = bytes.dropFirst(isSecure ? 8 : 7)
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard let (host, port) = Self.split(authority) else { return nil }
        self.host = host
        self.port = port ?? (isSecure ? 443 : 80)
        let target = String(decoding: rest.dropFirst(authority.count), as: UTF8.self)
        self.target = target.utf8.first == UInt8(ascii: "/") ? target : "/" + target
        self.authority = String(decoding: authority, as: UTF8.self)
    }

    /// Scheme, host and port, without a path: `https://proxy.example.com:3128`.
    package var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// The same server, another path.
    ///
    /// - Parameter target: path and query; visible ASCII that begins with "/".
    package func with(target: String) -> FetchURL {
        FetchURL(isSecure: isSecure, host: host, port: port, target: target, authority: authority)
    }

    private init(isSecure: Bool, host: Host, port: UInt16, target: String, authority: String) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.target = target
        self.authority = authority
    }

    private static func split(_ authority: ArraySlice<UInt8>) -> (Host, UInt16?)? {
        let afterAddress = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        let colon = authority[afterAddress...].firstIndex(of: UInt8(ascii: ":"))
        guard let host = host(authority[..<(colon ?? authority.endIndex)]) else { return nil }
        guard let colon else { return (host, nil) }
        let digits = authority[(colon + 1)...]
        return Int(decimal: digits.span, in: 1...65_535).map { (host, UInt16($0)) }
    }

    private static func host(_ text: ArraySlice<UInt8>) -> Host? {
        if text.first == UInt8(ascii: "["), text.last == UInt8(ascii: "]") {
            let literal = Array(text.dropFirst().dropLast())
            guard literal.contains(UInt8(ascii: ":")) else { return nil }
            return PeerAddress(literal: literal.span).map { .address($0) }
        }
        if let address = PeerAddress(literal: Array(text).span) {
            // IPv6 needs its brackets.
            return text.contains(UInt8(ascii: ":")) ? nil : .address(address)
        }
        let name = ASCII.lowercased(text)
        guard 1...253 ~= name.count, name.allSatisfy(isNameByte), !lastLabelIsNumeric(name) else { return nil }
        return .name(String(decoding: name, as: UTF8.self))
    }

    /// Container networks name hosts with underscores, which host names proper do not have.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._".utf8.contains(byte)
    }

    /// `127.1` or `2130706433` would be an address to some resolvers and a name to nobody (RFC 3696, section 2).
    private static func lastLabelIsNumeric(_ name: [UInt8]) -> Bool {
        let labels = name.split(separator: UInt8(ascii: "."))
        guard let last = labels.last else { return true }
        return last.allSatisfy(ASCII.isDigit) || last.starts(with: "0x".utf8)
    }
}
