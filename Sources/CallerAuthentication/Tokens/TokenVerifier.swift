import Cryptography
import DataFormats
import Requests
import System
import Text

/// Verifies tokens with the keys of the configured issuers, and caches the callers of valid tokens.
final class TokenVerifier: Sendable {
    let issuers: [TokenIssuer]
    let cache = TokenCache()

    init(_ issuers: [TokenIssuer]) {
        self.issuers = issuers
    }

    /// A verifier with the current keys; itself if no keys have changed. A new one has an empty cache, so tokens of
    /// removed keys are refused.
    func withCurrentKeys() -> TokenVerifier {
        let current = issuers.map { $0.withCurrentKeys() }
        return zip(current, issuers).allSatisfy { $0 === $1 } ? self : TokenVerifier(current)
    }

    /// The caller that a token authenticates.
    ///
    /// - Parameters:
    ///   - text: The encoded token.
    ///   - header: The name of the proxy's header that had it, in lower case; nil for `Authorization`.
    ///   - client: The address that sent it.
    ///   - now: Seconds since 1970.
    func caller(
        for text: Span<UInt8>, in header: [UInt8]? = nil, from client: PeerAddress, at now: Int64
    ) throws(TokenRefusal) -> Caller {
        if let caller = cache.caller(for: text, in: header, at: now) { return caller }
        let (caller, validity) = try verify(text, in: header, from: client, at: now)
        cache.insert(caller, for: text, in: header, validity)
        return caller
    }

    private func verify(
        _ text: Span<UInt8>, in headerName: [UInt8]?, from client: PeerAddress, at now: Int64
    ) throws(TokenRefusal) -> (caller: Caller, validity: Range<Int64>) {
        if issuers.isEmpty { throw .noIssuers }
        let token = try CompactToken(text)
        let header = try TokenHeader(token.header)
        guard let claims = try? JSONValue(parsing: token.claims), case .object = claims else { throw .claimsNotJSON }
        // `iss` is not verified yet: it only selects the keys to verify the signature with (RFC 8725 section 3.8).
        guard let name = claims["iss"]?.string, let issuer = issuers.first(where: { $0.configuration.issuer == name })
        else { throw .unknownIssuer }
        guard issuer.configuration.header == headerName else {
            throw .wrongHeader(expected: issuer.configuration.header)
        }
        return try issuer.verify(token, header, claims, text: text, from: client, at: now)
    }
}

/// Caches the callers of verified tokens, so that a client's next request needs no second signature verification.
///
/// It holds up to 16,384 callers and 32 MiB. Only valid tokens are inserted, so clients without one cannot evict
/// entries. A caller larger than 128 KiB is not cached.
final class TokenCache: Sendable {
    /// Keyed by digest, so that no token stays in memory and comparison times reveal nothing about tokens.
    private let table = BoundedTable<SHA256Digest, Entry>(capacity: 16_384, byteLimit: 32 << 20)

    /// The caller that a token authenticates; nil if the token is not cached, was sent in another header, or is not
    /// valid now.
    ///
    /// - Parameters:
    ///   - token: The encoded token.
    ///   - header: The name of the header that had it, as for `TokenVerifier.caller`.
    ///   - now: Seconds since 1970.
    func caller(for token: Span<UInt8>, in header: [UInt8]?, at now: Int64) -> Caller? {
        guard let entry = table.value(for: SHA256.hash(token)), entry.header == header, entry.validity.contains(now)
        else { return nil }
        return entry.caller
    }

    /// Stores the caller of a verified token.
    ///
    /// - Parameters:
    ///   - caller: The caller.
    ///   - token: The encoded token.
    ///   - header: The name of the header that had it.
    ///   - validity: The seconds since 1970 in which the token is valid.
    func insert(_ caller: Caller, for token: Span<UInt8>, in header: [UInt8]?, _ validity: Range<Int64>) {
        table.insert(Entry(caller: caller, header: header, validity: validity), for: SHA256.hash(token))
    }

    /// The number of cached callers and their approximate size in bytes.
    var usage: (entries: Int, bytes: Int) { table.usage }

    private struct Entry: Expiring {
        let caller: Caller
        let header: [UInt8]?
        let validity: Range<Int64>

        var expiry: Int64 { validity.upperBound }
        /// The caller, plus 128 bytes for the digest, the validity and the table.
        var byteCount: Int { caller.footprint + 128 }
    }
}
