import DataFormats

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
        try checkUse()
        guard configuration.isAnonymous(claims) || configuration.claims.identity.text(in: claims) != nil else {
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

    private func checkUse() throws(TokenRefusal) {
        var isAccess = false
        if configuration.tokenUse != .unchecked {
            guard let use = claims["token_use"]?.string.flatMap(TokenUse.init(claim:)),
                configuration.tokenUse == .either || configuration.tokenUse == use
            else { throw .wrongTokenUse }
            isAccess = use == .access
        }
        // Cognito's access tokens have `client_id` instead of `aud`.
        let audiences = try audiences(of: claims[isAccess ? "client_id" : "aud"], orArray: !isAccess)
        guard audiences.contains(where: configuration.audiences.contains) else { throw .wrongAudience }
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
        guard let seconds = NumericDate.seconds(value) else { throw .badTime }
        return seconds
    }
}
