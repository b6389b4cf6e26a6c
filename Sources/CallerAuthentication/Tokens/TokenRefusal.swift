/// The reason why a token is refused. For the log: the response reveals only an expiry.
package enum TokenRefusal: Error, Equatable {
    case noIssuers, tooLong, notThreeParts, notBase64URL, emptySignature
    case headerNotJSON, claimsNotJSON, critical, detachedEncoding, unknownAlgorithm, badKeyID, badType
    case unknownIssuer, algorithmNotAllowed, keyIDMissing, unknownKey, algorithmNotOfKey, wrongSignature
    case wrongType, wrongTokenUse, wrongAudience, wrongAuthorizedParty, notAccessToken, wrongClientID, noIdentity
    /// The token has an audience, and only clients are configured. The text names the audience.
    case otherAudience(String)
    /// The token was sent in another header than the one from which the issuer's tokens are read.
    case wrongHeader(expected: [UInt8]?)
    case badTime, noExpiry, issuedInFuture, notYetValid, tooLongLived, expired
    /// The issuer's keys have not been fetched, or are too old. `retryAfter` is in seconds.
    case noKeys(retryAfter: Int)
    /// The key is not in the issuer's set, which is being fetched again. `retryAfter` is in seconds.
    case newKey(retryAfter: Int)

    /// The reason in the log.
    package var reason: String {
        switch self {
        case .noIssuers: "not an API key, and no token issuer is configured"
        case .tooLong: "token: longer than 16 KiB"
        case .notThreeParts: "neither an API key nor a token with three parts"
        case .notBase64URL: "token: a part is not canonical base64url without padding"
        case .emptySignature: "token: no signature"
        case .headerNotJSON: "token: the header is not a valid JSON object"
        case .claimsNotJSON: "token: the claims are not a valid JSON object"
        case .critical: "token: the header requires an extension (crit)"
        case .detachedEncoding: "token: the header has b64, which a JWT must not use"
        case .unknownAlgorithm: "token: alg is missing or not supported"
        case .badKeyID: "token: kid is not a string"
        case .badType: "token: typ is not a string"
        case .unknownIssuer: "token: the issuer is not configured"
        case .algorithmNotAllowed: "token: alg is not in the issuer's algorithms"
        case .keyIDMissing: "token: kid is missing, and the issuer has several keys"
        case .unknownKey: "token: the issuer has no key with this kid"
        case .algorithmNotOfKey: "token: alg does not match the key"
        case .wrongSignature: "token: invalid signature"
        case .wrongType: "token: typ is not accepted for this issuer"
        case .wrongTokenUse: "token: token_use is not accepted for this issuer"
        case .wrongAudience: "token: the audience is not accepted for this issuer"
        case .otherAudience(let audience): "the token is for \(audience); configure `audience` too"
        case .wrongAuthorizedParty: "token: azp is not in the issuer's authorizedParties"
        case .notAccessToken: "token: client_id counts only with typ at+jwt or token_use access"
        case .wrongClientID: "token: client_id is not in the issuer's clientIDs"
        case .noIdentity: "token: the identity claim is missing, empty, or neither a string nor a whole number"
        case .wrongHeader(let name):
            "token: the issuer's tokens are read only from the header "
                + (name.map { String(decoding: $0, as: UTF8.self) } ?? "authorization")
        case .badTime: "token: a time is not a number of seconds up to the year 9999"
        case .noExpiry: "token: no exp"
        case .issuedInFuture: "token: iat is in the future"
        case .notYetValid: "token: nbf is in the future"
        case .tooLongLived: "token: longer-lived than maxAge, or without iat"
        case .expired: "token: expired"
        case .noKeys: "token: the issuer's keys could not be fetched"
        case .newKey: "token: the issuer's keys are fetched again, because the kid is new"
        }
    }
}
