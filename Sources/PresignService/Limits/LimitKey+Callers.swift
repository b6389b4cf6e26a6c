import AccessRules
import RateLimiting
import System

extension LimitKey {
    /// The bucket of a caller; of the address for guests, who have no identity.
    init(_ caller: Caller, from client: PeerAddress) {
        if caller.isGuest { self.init(client) } else { self.init(caller) }
    }

    /// The bucket of a caller: its label distinguishes the authentication scheme, the token issuer and the API key, and
    /// the identity distinguishes long names that the label truncates.
    init(_ caller: Caller) {
        var hasher = Hasher()
        hasher.combine(caller.label)
        hasher.combine(caller.identity)
        self.init(hasher)
    }

    /// The bucket of an address: a whole IPv4 address, or the first 64 bits of an IPv6 address, because a client
    /// usually controls a whole /64 network (RFC 6177). Unix sockets share one bucket.
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
