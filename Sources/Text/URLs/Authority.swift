/// `host [":" port]`: an authority without user information (RFC 3986 section 3.2, RFC 9110 section 7.2).
public struct Authority: Sendable, Equatable {
    /// The kinds of host.
    public enum Host: Sendable, Equatable {
        case address(IPAddress)
        /// A registered name, such as a DNS name; `hostRange` has its bytes.
        case name
    }

    /// The part of an authority that is malformed.
    public enum Mistake: Error, Sendable, Equatable {
        /// The text contains an `@`.
        case userInformation
        case host
        /// The IPv6 address has a zone, such as `%eth0` (RFC 6874), which browsers refuse.
        case zone
        /// The port is not a number from 0 to 65535.
        case port
    }

    /// A name or an address.
    public let host: Host
    /// The range of the host in the text, including the brackets of an IPv6 address.
    public let hostRange: Range<Int>
    /// The port; nil without one.
    public let port: UInt16?

    /// Parses an authority.
    ///
    /// - Parameters:
    ///   - allowsEmptyHost: whether to accept `:8080`; the host is then an empty name.
    ///   - allowsEmptyPort: whether to accept `host:`, which the grammar allows; the port is then nil.
    public init(
        _ text: Span<UInt8>, allowsEmptyHost: Bool = false, allowsEmptyPort: Bool = false
    ) throws(Mistake) {
        do throws(Mistake) {
            (host, hostRange) = try Self.host(of: text, allowsEmpty: allowsEmptyHost)
            port = try Self.port(text.extracting(hostRange.upperBound...), allowsEmpty: allowsEmptyPort)
        } catch {
            let hasAt = text.position(of: ASCII.at, from: 0) < text.count
            throw hasAt ? .userInformation : error
        }
    }

    private static func host(of text: Span<UInt8>, allowsEmpty: Bool) throws(Mistake) -> (Host, Range<Int>) {
        if !text.isEmpty, text[0] == ASCII.leftBracket {
            let end = text.position(of: ASCII.rightBracket, from: 0)
            guard end < text.count else { throw .host }
            let literal = text.extracting(1..<end)
            guard let address = IPAddress(v6: literal) else {
                throw literal.position(of: ASCII.percent, from: 0) < literal.count ? .zone : .host
            }
            return (.address(address), 0..<(end + 1))
        }
        let end = text.registeredNameEnd(from: 0)
        guard end > 0 || allowsEmpty else { throw .host }
        let address = IPAddress(v4: text.extracting(first: end))
        return (address.map { .address($0) } ?? .name, 0..<end)
    }

    /// - Parameter text: the text after the host.
    private static func port(_ text: Span<UInt8>, allowsEmpty: Bool) throws(Mistake) -> UInt16? {
        guard !text.isEmpty else { return nil }
        guard text[0] == ASCII.colon else { throw .host }
        if text.count == 1, allowsEmpty { return nil }
        guard let port = Int(decimal: text.extracting(1...), in: 0...65_535) else { throw .port }
        return UInt16(port)
    }
}
