import Cryptography
import DataFormats
import Refreshing
import Requests
import System
import Text

/// Verifies the tokens of one issuer with its keys and its configuration.
final class TokenIssuer: Sendable {
    let configuration: TokenIssuerConfiguration
    /// Nil until fetched keys have arrived, and after they became too old.
    let keys: IssuerKeys?
    /// Where new keys come from; nil for keys from a file.
    let source: CurrentIssuerKeys?
    /// The set that `keys` comes from, if it was fetched.
    private let fetched: FetchedKeys?

    /// An issuer with keys from a file.
    init(_ configuration: TokenIssuerConfiguration, _ keys: IssuerKeys) {
        (self.configuration, self.keys) = (configuration, keys)
        (source, fetched) = (nil, nil)
    }

    /// An issuer with the current keys of a source.
    init(_ configuration: TokenIssuerConfiguration, from source: CurrentIssuerKeys) {
        (self.configuration, self.source) = (configuration, source)
        fetched = source.value
        keys = fetched?.keys
    }

    /// The issuer with the current keys of its source; itself if they have not changed.
    func withCurrentKeys() -> TokenIssuer {
        guard let source, source.value !== fetched else { return self }
        return TokenIssuer(configuration, from: source)
    }

    /// Where users sign in; nil if that is not known.
    var endpoints: ProviderEndpoints? { fetched?.endpoints }

    /// The keys to verify a token with; see `IssuerKeys.candidates`.
    private func candidates(for header: TokenHeader, from client: PeerAddress) throws(TokenRefusal) -> [VerificationKey]
    {
        guard let keys else { throw .noKeys(retryAfter: source?.secondsToValue ?? 1) }
        do throws(TokenRefusal) {
            return try keys.candidates(for: header)
        } catch {
            // The issuer may have published the key after the last fetch.
            guard error == .unknownKey, let seconds = source?.missedKey(header.keyID, from: client) else { throw error }
            throw .newKey(retryAfter: seconds)
        }
    }

    /// The caller that a valid token authenticates, and the seconds since 1970 in which the token is valid.
    ///
    /// - Parameters:
    ///   - token: The decoded token.
    ///   - header: Its header.
    ///   - claims: Its claims, not yet verified.
    ///   - text: The encoded token.
    ///   - client: The address that sent it.
    ///   - now: Seconds since 1970.
    func verify(
        _ token: CompactToken, _ header: TokenHeader, _ claims: JSONValue, text: Span<UInt8>, from client: PeerAddress,
        at now: Int64
    ) throws(TokenRefusal) -> (caller: Caller, validity: Range<Int64>) {
        guard configuration.algorithms.contains(header.algorithm) else { throw .algorithmNotAllowed }
        let candidates = try candidates(for: header, from: client)
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
        var reader = ClaimReader(claims)
        let identity = reader.identity(at: names.identity)
        let groups = names.groups.map { reader.groups(at: $0, separator: configuration.separator) }
        let others = names.others.compactMap { reader.claim($0.name, at: $0.path) }
        let token = Caller.Token(
            issuerName: configuration.name, issuer: configuration.issuer, subject: claims["sub"]?.string,
            keyID: header.keyID, tokenID: claims["jti"]?.string,
            expiry: claims["exp"]?.numericDate ?? 0)
        return Caller(
            token: token, identity: identity, groups: groups ?? [], claims: others,
            isGuest: configuration.isAnonymous(claims), ignored: reader.ignored)
    }
}

/// Checks the type, claims and lifetime of a token with a valid signature.
struct TokenCheck {
    let configuration: TokenIssuerConfiguration
    let header: TokenHeader
    let claims: JSONValue

    /// The seconds since 1970 in which the token is valid, including the leeway.
    ///
    /// - Parameter now: Seconds since 1970.
    /// - Throws: The first failed check. The expiry is checked last, because the response reveals it: only the holder
    ///   of an otherwise valid token learns that it has expired.
    func validity(at now: Int64) throws(TokenRefusal) -> Range<Int64> {
        try checkType()
        try checkBindings()
        guard configuration.isAnonymous(claims) || configuration.claims.identity.identity(in: claims) != nil else {
            throw .noIdentity
        }
        return try lifetime(at: now)
    }

    /// Without a configured type, only ID and access tokens are accepted: issuers sign other tokens, such as logout
    /// tokens, with the same keys and mark them by type (RFC 8725 section 3.11).
    private func checkType() throws(TokenRefusal) {
        if let required = configuration.type {
            guard header.type == required else { throw .wrongType }
        } else if let type = header.type {
            guard type.elementsEqual("jwt".utf8) || type.elementsEqual("at+jwt".utf8) else { throw .wrongType }
        }
        if let accepted = configuration.typeClaims, let type = claims["typ"] {
            guard let text = type.string, accepted.contains(text) else { throw .wrongType }
        }
    }

    /// Checks the receiver and the client of the token. All configured bindings must match.
    private func checkBindings() throws(TokenRefusal) {
        let use = claims["token_use"]?.string.flatMap(TokenUse.init(claim:))
        let checksUse = !configuration.tokenUse.isEmpty
        if checksUse {
            guard let use, configuration.tokenUse.contains(use) else { throw .wrongTokenUse }
        }
        // Cognito's access tokens have `client_id` instead of `aud`.
        try checkAudience(isCognitoAccess: checksUse && use == .access)
        if !configuration.authorizedParties.isEmpty {
            guard let party = claims["azp"]?.string, configuration.authorizedParties.contains(party) else {
                throw .wrongAuthorizedParty
            }
        }
        if !configuration.clientIDs.isEmpty {
            // In other tokens, `client_id` has no meaning that a standard defines (RFC 9068 section 2.2).
            guard use == .access || header.type?.elementsEqual("at+jwt".utf8) == true else { throw .notAccessToken }
            guard let client = claims["client_id"]?.string, configuration.clientIDs.contains(client) else {
                throw .wrongClientID
            }
        }
    }

    /// A client is who asked for the token, not who receives it: without a configured audience, a token that has one
    /// is for another service.
    private func checkAudience(isCognitoAccess: Bool) throws(TokenRefusal) {
        if configuration.audiences.isEmpty {
            guard claims["aud"] == nil else { throw .otherAudience(Self.shown(ClaimPath(["aud"]).values(in: claims))) }
        } else {
            let value = claims[isCognitoAccess ? "client_id" : "aud"]
            let audiences = try audiences(of: value, orArray: !isCognitoAccess)
            guard audiences.contains(where: configuration.audiences.contains) else { throw .wrongAudience }
        }
    }

    private static func shown(_ audiences: [JSONValue]) -> String {
        let names = audiences.prefix(4).map { audience in
            audience.string.map { String(decoding: $0, as: UTF8.self).quoted } ?? "a value that is not a string"
        }
        return names.isEmpty ? "an empty list" : names.joined(separator: ", ")
    }

    /// A string, or an array that contains only strings (RFC 7519 section 4.1.3).
    private func audiences(of value: JSONValue?, orArray: Bool) throws(TokenRefusal) -> [[UInt8]] {
        switch value {
        case .string(let text): return [text]
        case .array(let items) where orArray:
            let texts = items.compactMap(\.string)
            guard texts.count == items.count else { throw .wrongAudience }
            return texts
        default: throw .wrongAudience
        }
    }

    private func lifetime(at now: Int64) throws(TokenRefusal) -> Range<Int64> {
        let leeway = Int64(configuration.leeway)
        guard let expiry = try time("exp") else { throw .noExpiry }
        let (issued, notBefore) = (try time("iat"), try time("nbf"))
        let start = max(issued ?? 0, notBefore ?? 0) - leeway
        if let issued, now < issued - leeway { throw .issuedInFuture }
        if let notBefore, now < notBefore - leeway { throw .notYetValid }
        if let maximum = configuration.maxAge {
            guard let issued, expiry - issued <= Int64(maximum) else { throw .tooLongLived }
        }
        guard now < expiry + leeway else { throw .expired }
        return start..<(expiry + leeway)
    }

    private func time(_ name: String) throws(TokenRefusal) -> Int64? {
        guard let value = claims[name] else { return nil }
        guard let seconds = value.numericDate else { throw .badTime }
        return seconds
    }
}
