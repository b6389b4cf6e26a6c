package import System
import Text

/// An `http` or `https` URL without user information and fragment. Host names that a resolver could take for an IP
/// address are rejected.
package struct FetchURL: Sendable, Equatable {
    package enum Host: Sendable, Equatable {
        /// An IP literal.
        case address(PeerAddress)
        /// A name to resolve, in lower case.
        case name(String)
    }

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    package let host: Host
    /// The port, 1...65535; without one in the URL, the scheme's default.
    package let port: UInt16
    /// Path and query, at least "/".
    package let target: String
    /// Host and port in the form of the `Host` field (RFC 9110 section 7.2).
    package let authority: String

    /// Parses a URL; nil if it is not valid.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let url = try? AbsoluteURL(bytes.span), url.port > 0 else { return nil }
        switch url.authority.host {
        case .address(let address):
            host = .address(PeerAddress(address))
        case .name:
            let name = bytes[url.hostRange]
            guard name.span.isHostName else { return nil }
            host = .name(String(decoding: ASCII.lowercased(name), as: UTF8.self))
        }
        isSecure = url.isSecure
        port = url.port
        authority = String(decoding: bytes[url.authorityRange], as: UTF8.self)
        let target = String(decoding: bytes[url.authorityRange.upperBound...], as: UTF8.self)
        self.target = target.utf8.first == UInt8(ascii: "/") ? target : "/" + target
    }

    /// Scheme, host and port, without a path: `https://proxy.example.com:3128`.
    package var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// Returns a URL of the same server with another path and query.
    ///
    /// - Parameter target: path and query; visible ASCII that starts with "/".
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
}
