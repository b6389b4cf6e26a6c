package import HTTP1
import Text

/// The names of the headers that only a trusted proxy may send, in lower case.
package struct ProxyHeaderNames: Sendable {
    let secret, identity, groups, clientAddress: [UInt8]?
    /// Which lengths the names have, as bits: most headers are told apart by that.
    fileprivate let lengths: UInt64

    init(_ configuration: ProxyConfiguration) {
        secret = configuration.secretHeader
        (identity, groups, clientAddress) = (configuration.identity, configuration.groups, configuration.clientAddress)
        let names = [secret, identity, groups, clientAddress].compactMap { $0 }
        lengths = names.reduce(0) { $0 | Self.bit($1.count) }
    }

    fileprivate static func bit(_ length: Int) -> UInt64 { 1 << UInt64(length & 63) }

    /// Whether it is one of the names, or what gateways take for one: whatever is no letter or digit counts as a hyphen.
    fileprivate func resembles(_ name: Span<UInt8>) -> Bool {
        guard lengths & Self.bit(name.count) != 0 else { return false }
        return Self.resembles(name, secret) || Self.resembles(name, identity) || Self.resembles(name, groups)
            || Self.resembles(name, clientAddress)
    }

    /// Whether an element of a list resembles one of the names.
    fileprivate func areMet(in list: Span<UInt8>) -> Bool {
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

/// A proxy's headers in one request, each at most once and none empty.
package struct ProxyHeaders {
    private(set) var secret, identity, groups, clientAddress: ArraySlice<UInt8>?

    /// - Returns: nil when there are none.
    /// - Throws: for a header that is there twice, empty, under a name that only resembles its own, or named as an option
    ///   of the connection, by which a proxy that removes those options would lose it.
    package init?(_ headers: HTTPHeaders, _ names: ProxyHeaderNames) throws(TrustedProxyAuthenticator.Refusal) {
        var found: [Int] = []
        var isOption = false
        headers.forEach { position, name, value in
            if names.resembles(name) { found.append(position) }
            if name.equalsIgnoringCase("connection"), names.areMet(in: value) { isOption = true }
        }
        guard !isOption else {
            throw TrustedProxyAuthenticator.Refusal(reason: "a proxy header as an option of the connection")
        }
        guard !found.isEmpty else { return nil }
        for position in found {
            let (name, value) = headers[position]
            guard !value.isEmpty else { throw TrustedProxyAuthenticator.Refusal(reason: "an empty proxy header") }
            let isNew =
                take(name, value, names.secret, &secret) || take(name, value, names.identity, &identity)
                || take(name, value, names.groups, &groups)
                || take(name, value, names.clientAddress, &clientAddress)
            guard isNew else {
                throw TrustedProxyAuthenticator.Refusal(reason: "a proxy header twice, or under a similar name")
            }
        }
    }

    /// Whether the header has that name and is the first one.
    private func take(
        _ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>, _ known: [UInt8]?, _ place: inout ArraySlice<UInt8>?
    ) -> Bool {
        guard let known, place == nil, ASCII.lowercased(name) == known
        else { return false }
        place = value
        return true
    }
}
