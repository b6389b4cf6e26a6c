import Text

/// A web origin, `scheme://host[:port]`, as browsers send it in `Origin` (RFC 6454 section 6.2).
package struct WebOrigin: Sendable {
    private let bytes: [UInt8]
    private let url: AbsoluteURL

    /// Reads an origin; nil for anything else, such as `null`.
    package init?(_ origin: some Collection<UInt8>) {
        let bytes = Array(origin)
        guard let url = try? AbsoluteURL(bytes.span), url.authorityRange.upperBound == bytes.count else { return nil }
        (self.bytes, self.url) = (bytes, url)
    }

    /// Whether pages of the origin come from this machine: `localhost`, a name below it, 127.0.0.0/8 or ::1. Browsers
    /// resolve these names themselves (RFC 6761 section 6.3), so no DNS entry can change them.
    package var isLoopback: Bool {
        switch url.authority.host {
        case .address(.v4(let address)): address >> 24 == 127
        case .address(.v6(let high, let low)): high == 0 && low == 1
        case .name: host.span.equals("localhost") || host.suffix(10).elementsEqual(".localhost".utf8)
        }
    }

    /// Whether a request with this `Host` was sent to the origin itself, apart from the scheme, which a proxy in front
    /// of the service can change.
    package func isServed(at host: some Collection<UInt8>) -> Bool {
        bytes[url.authorityRange].elementsEqual(host, by: { $0 == ASCII.lowercased($1) })
    }

    /// The same origin under the other name of this machine: `localhost` for `127.0.0.1`, and the reverse.
    package var underOtherName: [UInt8]? {
        let other: String
        if host.span.equals("localhost") {
            other = "127.0.0.1"
        } else if host.span.equals("127.0.0.1") {
            other = "localhost"
        } else {
            return nil
        }
        return Array(bytes[..<url.hostRange.lowerBound]) + other.utf8 + bytes[url.hostRange.upperBound...]
    }

    private var host: ArraySlice<UInt8> { bytes[url.hostRange] }
}
