package import System
import Text

/// An `http` or `https` URL for one request, without user information and fragment. Hosts that readers could take for
/// different ones are refused.
package struct FetchURL: Sendable, Equatable {
    /// The server.
    package enum Host: Sendable, Equatable {
        /// An IP literal.
        case address(PeerAddress)
        /// A name to resolve, in lower case.
        case name(String)
    }

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    /// The server.
    package let host: Host
    /// The port, 1...65535; the scheme's default if the URL names none.
    package let port: UInt16
    /// Path and query, at least "/".
    package let target: String
    /// Host and port as the `Host` field has them (RFC 9110, section 7.2).
    package let authority: String

    /// Parses a URL; nil for anything else.
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
}
