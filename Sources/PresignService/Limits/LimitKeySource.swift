import AccessRules
import RateLimiting
import System
import Text

/// Makes keys; the process's own.
struct LimitKeySource: Sendable {
    /// From the system's generator: the standard library's own seed can be switched off by the environment.
    private let seed = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    /// The label tells how and, for a token, by which issuer the caller was authenticated, and the id of an API key; the
    /// identity tells apart what labels cut.
    func key(for caller: Caller) -> LimitKey {
        var hasher = start()
        hasher.combine(words: caller.label)
        if let identity = caller.identity { hasher.combine(words: identity) }
        return end(hasher)
    }

    /// An IPv4 address whole; of an IPv6 address the first 64 bits, as who has one of them has all of them (RFC 6177);
    /// all peers of Unix sockets are one.
    func key(for address: PeerAddress) -> LimitKey {
        var hasher = start()
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
        return end(hasher)
    }

    private func start() -> Hasher {
        var hasher = Hasher()
        hasher.combine(seed.0)
        hasher.combine(seed.1)
        return hasher
    }

    private func end(_ hasher: Hasher) -> LimitKey {
        LimitKey(hash: UInt64(bitPattern: Int64(hasher.finalize())))
    }
}

extension Hasher {
    /// Eight bytes at a time: an array hashes each on its own.
    fileprivate mutating func combine(words bytes: [UInt8]) {
        let bytes = bytes.span
        combine(bytes.count)
        var index = 0
        while index + 8 <= bytes.count {
            combine(bytes.word(at: index))
            index += 8
        }
        while index < bytes.count {
            combine(bytes[index])
            index += 1
        }
    }
}
