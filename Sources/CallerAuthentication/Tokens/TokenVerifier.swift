import AccessRules
import DataFormats

/// Verifies tokens with the keys of the configured issuers, and caches the callers of valid tokens.
final class TokenVerifier: Sendable {
    private let issuers: [TokenIssuer]
    private let cache = TokenCache()

    init(_ issuers: [TokenIssuer]) {
        self.issuers = issuers
    }

    /// The caller that a token authenticates.
    ///
    /// - Parameters:
    ///   - text: The encoded token.
    ///   - now: Seconds since 1970.
    func caller(for text: Span<UInt8>, at now: Int64) throws(TokenRefusal) -> Caller {
        if let caller = cache.caller(for: text, at: now) { return caller }
        let (caller, validity) = try verify(text, at: now)
        cache.insert(caller, for: text, validity)
        return caller
    }

    /// The caller that a token authenticates, if the token is in the cache and valid now.
    ///
    /// - Parameters:
    ///   - text: The encoded token.
    ///   - now: Seconds since 1970.
    func cachedCaller(for text: Span<UInt8>, at now: Int64) -> Caller? {
        cache.caller(for: text, at: now)
    }

    private func verify(
        _ text: Span<UInt8>, at now: Int64
    ) throws(TokenRefusal) -> (caller: Caller, validity: Range<Int64>) {
        if issuers.isEmpty { throw .noIssuers }
        let token = try CompactToken(text)
        let header = try TokenHeader(token.header)
        guard let claims = try? JSONValue(parsing: token.claims), case .object = claims else { throw .claimsNotJSON }
        // `iss` is not verified yet: it only selects the keys to verify the signature with (RFC 8725 section 3.8).
        guard let name = claims["iss"]?.string, let issuer = issuers.first(where: { $0.configuration.issuer == name })
        else { throw .unknownIssuer }
        return try issuer.verify(token, header, claims, text: text, at: now)
    }
}
