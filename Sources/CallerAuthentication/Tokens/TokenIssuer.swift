import AccessRules
import Cryptography
import DataFormats
import Text

/// Verifies the tokens of one issuer with its keys and its configuration.
final class TokenIssuer: Sendable {
    let configuration: TokenIssuerConfiguration
    let keys: IssuerKeys

    init(_ configuration: TokenIssuerConfiguration, _ keys: IssuerKeys) {
        (self.configuration, self.keys) = (configuration, keys)
    }

    /// The caller that a valid token authenticates, and the seconds since 1970 in which the token is valid.
    ///
    /// - Parameters:
    ///   - token: The decoded token.
    ///   - header: Its header.
    ///   - claims: Its claims, not yet verified.
    ///   - text: The encoded token.
    ///   - now: Seconds since 1970.
    func verify(
        _ token: CompactToken, _ header: TokenHeader, _ claims: JSONValue, text: Span<UInt8>, at now: Int64
    ) throws(TokenRefusal) -> (caller: Caller, validity: Range<Int64>) {
        guard configuration.algorithms.contains(header.algorithm) else { throw .algorithmNotAllowed }
        let candidates = try keys.candidates(for: header)
        let message = text.extracting(first: token.signedCount)
        guard
            candidates.contains(where: {
                $0.verify(header.algorithm, signature: token.signature.span, message: message)
            })
        else { throw .wrongSignature }
        // The signature is valid: from here on the claims can be trusted.
        let check = TokenCheck(configuration: configuration, header: header, claims: claims)
        let validity = try check.validity(at: now)
        return (caller(header, claims), validity)
    }

    func caller(_ header: TokenHeader, _ claims: JSONValue) -> Caller {
        let names = configuration.claims
        // An identity is matched with a path segment, so one that is not a valid segment is ignored.
        let identity = names.identity.text(in: claims).flatMap { text in
            Caller.isSafeIdentity(text) ? text : nil
        }
        let token = Caller.Token(
            issuerName: configuration.name, issuer: configuration.issuer, subject: claims["sub"]?.string,
            keyID: header.keyID, tokenID: claims["jti"]?.string,
            expiry: claims["exp"].flatMap(NumericDate.seconds) ?? 0)
        return Caller(
            token: token, identity: identity, groups: names.groups?.texts(in: claims) ?? [],
            claims: names.others.compactMap { name, path in
                path.text(in: claims).map { Caller.Claim(name: name, value: $0) }
            },
            isGuest: configuration.isAnonymous(claims))
    }
}

extension TokenIssuerConfiguration {
    /// Whether the token belongs to an anonymous user.
    func isAnonymous(_ claims: JSONValue) -> Bool { anonymity?.holds(in: claims) ?? false }
}

/// How an issuer marks the tokens of anonymous users.
package enum TokenAnonymity: Sendable {
    /// Amazon Cognito identity pools: `amr` contains `unauthenticated`.
    case cognitoIdentity
    /// Firebase: `firebase.sign_in_provider` is `anonymous`.
    case firebase
    /// Supabase: `is_anonymous` is true, or `role` is `anon`, as in a project's public API key.
    case supabase

    func holds(in claims: JSONValue) -> Bool {
        switch self {
        case .cognitoIdentity:
            ClaimPath(["amr"]).texts(in: claims).contains { $0.elementsEqual("unauthenticated".utf8) }
        case .firebase:
            ClaimPath(["firebase", "sign_in_provider"]).text(in: claims)?.elementsEqual("anonymous".utf8) ?? false
        case .supabase:
            claims["is_anonymous"]?.boolean ?? false || claims["role"]?.string?.elementsEqual("anon".utf8) ?? false
        }
    }
}
