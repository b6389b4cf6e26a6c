package import System
import Text

/// The addresses that a trusted proxy may connect from: networks and Unix sockets.
package struct TrustedProxyNetworks: Sendable, Equatable {
    private var networks: [Network] = []
    private var includesUnix = false

    /// A network: its first address, and the length of its prefix in bits.
    private struct Network: Sendable, Equatable {
        let address: PeerAddress
        let prefix: Int

        func contains(_ peer: PeerAddress) -> Bool {
            switch (address, peer) {
            case (.ipv4(let network), .ipv4(let peer)): (network ^ peer) & ~Self.hostMask(prefix, of: 32) == 0
            case (.ipv6(let high, let low), .ipv6(let peerHigh, let peerLow)):
                (high ^ peerHigh) & ~Self.hostMask(min(prefix, 64), of: 64) == 0
                    && (low ^ peerLow) & ~Self.hostMask(max(prefix - 64, 0), of: 64) == 0
            default: false
            }
        }

        /// Whether all bits after the prefix are zero.
        var isNetworkAddress: Bool {
            switch address {
            case .ipv4(let address): address & Self.hostMask(prefix, of: 32) == 0
            case .ipv6(let high, let low):
                high & Self.hostMask(min(prefix, 64), of: 64) == 0
                    && low & Self.hostMask(max(prefix - 64, 0), of: 64) == 0
            case .unix: false
            }
        }

        /// A mask of the bits after the prefix in a word of `width` bits.
        private static func hostMask<Word: FixedWidthInteger>(_ prefix: Int, of width: Int) -> Word {
            prefix >= width ? 0 : Word.max >> Word(prefix)
        }
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
        guard parts.count <= 2, let address = PeerAddress(literal: Array(parts[0]).span) else { throw .malformed }
        let longest: Int
        switch address {
        case .ipv4 where parts[0].contains(UInt8(ascii: ":")): throw .mapped
        case .ipv4: longest = 32
        case .ipv6, .unix: longest = 128
        }
        let prefix = parts.count == 1 ? longest : try Self.prefix(parts[1], longest: longest)
        let network = Network(address: address, prefix: prefix)
        guard network.isNetworkAddress else { throw .hostBits }
        networks.append(network)
    }

    /// Whether the peer connects from one of the addresses.
    package func contains(_ peer: PeerAddress) -> Bool {
        peer == .unix ? includesUnix : networks.contains { $0.contains(peer) }
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
