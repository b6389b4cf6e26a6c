import AccessRules
import Cryptography
import System
import Text

/// The callers of tokens that were verified, so that a client's next request costs no second verification.
///
/// It holds up to 16,384 callers and 32 MiB. Only valid tokens are inserted, so a client without one removes nothing. A
/// caller larger than 128 KiB, such as one in thousands of groups, is not stored.
final class TokenCache: Sendable {
    /// Entries are found by digest: no token is kept in memory, and how long a comparison takes says nothing about one.
    private let table = BoundedTable<SHA256Digest, Entry>(capacity: 16_384, byteLimit: 32 << 20)

    /// The caller that a token proves; nil if the token was not verified before or is not valid now.
    ///
    /// - Parameters:
    ///   - token: the whole token.
    ///   - now: seconds since 1970.
    func caller(for token: Span<UInt8>, at now: Int64) -> Caller? {
        guard let entry = table.value(for: SHA256.hash(token)), entry.validity.contains(now) else { return nil }
        return entry.caller
    }

    /// Stores the caller of a token that was verified.
    ///
    /// - Parameter validity: the seconds since 1970 in which the token is valid.
    func insert(_ caller: Caller, for token: Span<UInt8>, _ validity: Range<Int64>) {
        table.insert(Entry(caller: caller, validity: validity), for: SHA256.hash(token))
    }

    /// The callers in the cache, and about how many bytes they take.
    var usage: (entries: Int, bytes: Int) { table.usage }

    private struct Entry: Expiring {
        let caller: Caller
        let validity: Range<Int64>

        var expiry: Int64 { validity.upperBound }
        /// The caller, and the digest and the validity in the table.
        var byteCount: Int { caller.footprint + 128 }
    }
}
