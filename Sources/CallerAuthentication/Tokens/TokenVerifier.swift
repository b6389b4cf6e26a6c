import AccessRules
import DataFormats

/// Verifies tokens with the keys of the configured issuers, and remembers those that were valid.
final class TokenVerifier: Sendable {
    private let issuers: [TokenIssuer]
    private let remembered = TokenCache()

    init(_ issuers: [TokenIssuer]) {
        self.issuers = issuers
    }

    /// The caller that a token stands for.
    ///
    /// - Parameters:
    ///   - text: the whole token.
    ///   - now: seconds since 1970.
    func caller(for text: Span<UInt8>, at now: Int64) throws(TokenRefusal) -> Caller {
        if let caller = remembered.caller(for: text, at: now) { return caller }
        let (caller, validity) = try verify(text, at: now)
        remembered.insert(caller, for: text, validity)
        return caller
    }

    /// The caller that a token stands for, if it was verified before and is valid now.
    ///
    /// - Parameters:
    ///   - text: the whole token.
    ///   - now: seconds since 1970.
    func rememberedCaller(for text: Span<UInt8>, at now: Int64) -> Caller? {
        remembered.caller(for: text, at: now)
    }

    private func verify(
        _ text: Span<UInt8>, at now: Int64
    ) throws(TokenRefusal) -> (caller: Caller, validity: Range<Int64>) {
        if issuers.isEmpty { throw .noIssuers }
        let token = try CompactToken(text)
        let header = try TokenHeader(token.header)
        guard let claims = try? JSONValue(parsing: token.claims), case .object = claims else { throw .claimsNotJSON }
        // The name is not believed yet: it only chooses whose keys the signature is tried with (RFC 8725 section 3.8).
        guard let name = claims["iss"]?.string, let issuer = issuers.first(where: { $0.configuration.issuer == name })
        else { throw .unknownIssuer }
        return try issuer.verify(token, header, claims, text: text, at: now)
    }
}
