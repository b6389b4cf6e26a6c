import AccessRules
import Cryptography
import System
import Text

/// Caches the callers of verified tokens, so that a client's next request needs no second signature verification.
///
/// It holds up to 16,384 callers and 32 MiB. Only valid tokens are inserted, so clients without one cannot evict
/// entries. A caller larger than 128 KiB, such as one in thousands of groups, is not cached.
final class TokenCache: Sendable {
    /// Keyed by digest, so that no token stays in memory and comparison times reveal nothing about tokens.
    private let table = BoundedTable<SHA256Digest, Entry>(capacity: 16_384, byteLimit: 32 << 20)

    /// The caller that a token authenticates; nil if the token is not cached or not valid now.
    ///
    /// - Parameters:
    ///   - token: The encoded token.
    ///   - now: Seconds since 1970.
    func caller(for token: Span<UInt8>, at now: Int64) -> Caller? {
        guard let entry = table.value(for: SHA256.hash(token)), entry.validity.contains(now) else { return nil }
        return entry.caller
    }

    /// Stores the caller of a verified token.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - token: The encoded token.
    ///   - validity: The seconds since 1970 in which the token is valid.
    func insert(_ caller: Caller, for token: Span<UInt8>, _ validity: Range<Int64>) {
        table.insert(Entry(caller: caller, validity: validity), for: SHA256.hash(token))
    }

    /// The number of cached callers and their approximate size in bytes.
    var usage: (entries: Int, bytes: Int) { table.usage }

    private struct Entry: Expiring {
        let caller: Caller
        let validity: Range<Int64>

        var expiry: Int64 { validity.upperBound }
        /// The caller, plus 128 bytes for the digest, the validity and the table.
        var byteCount: Int { caller.footprint + 128 }
    }
}
