import AccessRules
import RateLimiting
import System

extension LimitKey {
    /// The bucket of a caller. Its label tells the way it was authenticated, the token's issuer and the id of an API key
    /// apart; the identity tells apart long names that the label shortens.
    init(_ caller: Caller) {
        var hasher = Hasher()
        hasher.combine(caller.label)
        hasher.combine(caller.identity)
        self.init(hasher)
    }

    /// The bucket of an address: a whole IPv4 address, or the first 64 bits of an IPv6 address, since a client usually has
    /// all addresses of such a network (RFC 6177). Unix sockets share one bucket.
    init(_ address: PeerAddress) {
        var hasher = Hasher()
        switch address {
        case .ipv4(let address):
            hasher.combine(4)
            hasher.combine(address)
        case .ipv6(let network, _):
            hasher.combine(6)
            hasher.combine(network)
        case .unix:
            hasher.combine(0)
        }
        self.init(hasher)
    }
}
