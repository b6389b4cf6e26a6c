package import System
import Text

/// The addresses that a trusted proxy may connect from: networks and Unix sockets.
package struct TrustedProxyNetworks: Sendable, Equatable {
    private var networks: [Network] = []
    private var includesUnix = false

    private struct Network: Sendable, Equatable {
        /// Its first address.
        let first: UInt128
        /// The number of bits of its addresses: 32 or 128.
        let width: Int
        /// The bits after the prefix.
        let hostMask: UInt128
    }

    /// No networks: every peer is untrusted.
    package init() {}

    /// Adds `ADDRESS/LENGTH`, an address alone, or `unix`.
    ///
    /// - Throws: The reason why the text is invalid.
    mutating func add(_ text: String) throws(Mistake) {
        if text.utf8.elementsEqual("unix".utf8) {
            includesUnix = true
            return
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count <= 2, let (first, width) = PeerAddress(literal: Array(parts[0]).span)?.bits else {
            throw .malformed
        }
        if width == 32, parts[0].contains(UInt8(ascii: ":")) { throw .mapped }
        let prefix = parts.count == 1 ? width : try Self.prefix(parts[1], longest: width)
        let hostMask = (UInt128(1) << (width - prefix)) &- 1
        guard first & hostMask == 0 else { throw .hostBits }
        networks.append(Network(first: first, width: width, hostMask: hostMask))
    }

    /// Whether the peer connects from one of the addresses.
    package func contains(_ peer: PeerAddress) -> Bool {
        guard let (address, width) = peer.bits else { return includesUnix }
        return networks.contains { $0.width == width && (address ^ $0.first) & ~$0.hostMask == 0 }
    }

    /// Parses a prefix length, decimal digits without leading zeros.
    private static func prefix(_ text: Substring.UTF8View, longest: Int) throws(Mistake) -> Int {
        guard text.count == 1 || text.first != ASCII.zero, let prefix = Int(decimal: text.span, in: 0...longest)
        else { throw .malformed }
        return prefix
    }

    /// The reason why a text is not a valid network, a clause whose subject is the text.
    enum Mistake: Error {
        case malformed, hostBits, mapped

        var description: String {
            switch self {
            case .malformed: "must be a network such as 10.0.0.0/8 or fd00::/8, or unix"
            case .hostBits: "must not have bits set after the prefix length; write the first address of the network"
            case .mapped: "must not be an IPv4 address in IPv6 form; write it as IPv4, such as 10.0.0.0/8"
            }
        }
    }
}

extension PeerAddress {
    /// The address as a number, and the number of its bits; nil for a Unix socket.
    fileprivate var bits: (UInt128, width: Int)? {
        switch self {
        case .ipv4(let address): (UInt128(address), 32)
        case .ipv6(let high, let low): (UInt128(high) << 64 | UInt128(low), 128)
        case .unix: nil
        }
    }
}
