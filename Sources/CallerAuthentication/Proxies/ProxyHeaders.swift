package import HTTP1
import Text

/// The names of the headers that only a trusted proxy can send, in lower case.
package struct ProxyHeaderNames: Sendable {
    let secret, identity, groups, clientAddress: [UInt8]?
    /// The lengths of the names as a bit set, which excludes most headers quickly.
    fileprivate let lengths: UInt64

    init(_ configuration: ProxyConfiguration) {
        secret = configuration.secretHeader
        (identity, groups, clientAddress) = (configuration.identity, configuration.groups, configuration.clientAddress)
        let names = [secret, identity, groups, clientAddress].compactMap { $0 }
        lengths = names.reduce(0) { $0 | Self.bit($1.count) }
    }

    fileprivate static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

    /// Whether it equals one of the names, or a gateway may treat it as one: all characters except letters and digits
    /// count as hyphens.
    fileprivate func resembles(_ name: Span<UInt8>) -> Bool {
        guard lengths & Self.bit(name.count) != 0 else { return false }
        return Self.resembles(name, secret) || Self.resembles(name, identity) || Self.resembles(name, groups)
            || Self.resembles(name, clientAddress)
    }

    /// Whether an element of a list, separated by commas or blanks, resembles one of the names.
    fileprivate func matchElement(in list: Span<UInt8>) -> Bool {
        var start = 0
        for index in 0...list.count where index == list.count || list[index] <= 0x20 || list[index] == 0x2C {
            if resembles(list.extracting(start..<index)) { return true }
            start = index + 1
        }
        return false
    }

    private static func resembles(_ name: Span<UInt8>, _ known: [UInt8]?) -> Bool {
        guard let known, known.count == name.count else { return false }
        for index in name.indices where folded(name[index]) != known[index] { return false }
        return true
    }

    private static func folded(_ byte: UInt8) -> UInt8 {
        ASCII.isAlphanumeric(byte) ? ASCII.lowercased(byte) : UInt8(ascii: "-")
    }
}

/// The headers of a trusted proxy in one request. Each occurs at most once and is not empty.
package struct ProxyHeaders {
    private(set) var secret, identity, groups, clientAddress: ArraySlice<UInt8>?

    /// - Returns: Nil if the request has no such header.
    /// - Throws: If a header is duplicate, empty, or has a name that only resembles its own. Also if `Connection` lists
    ///   it, because a proxy would then remove it.
    package init?(_ headers: HTTPHeaders, _ names: ProxyHeaderNames) throws(TrustedProxyAuthenticator.Refusal) {
        var found: [Int] = []
        var isOption = false
        headers.forEach { position, name, value in
            if names.resembles(name) { found.append(position) }
            if name.equalsIgnoringCase("connection"), names.matchElement(in: value) { isOption = true }
        }
        guard !isOption else {
            throw TrustedProxyAuthenticator.Refusal(reason: "proxy header: listed in Connection")
        }
        guard !found.isEmpty else { return nil }
        for position in found {
            let (name, value) = headers[position]
            guard !value.isEmpty else { throw TrustedProxyAuthenticator.Refusal(reason: "proxy header: empty") }
            let isNew =
                take(name, value, names.secret, &secret) || take(name, value, names.identity, &identity)
                || take(name, value, names.groups, &groups)
                || take(name, value, names.clientAddress, &clientAddress)
            guard isNew else {
                throw TrustedProxyAuthenticator.Refusal(reason: "proxy header: duplicate, or under a similar name")
            }
        }
    }

    /// Stores the value if the header has the known name and no value is stored yet.
    ///
    /// - Returns: Whether the value was stored.
    private func take(
        _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ known: [UInt8]?, _ stored: inout ArraySlice<UInt8>?
    ) -> Bool {
        guard let known, stored == nil, ASCII.lowercased(name) == known else { return false }
        stored = value
        return true
    }
}
