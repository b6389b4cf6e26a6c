/// Why a token proves nothing. It is for the log: the caller is told of none of these but an expiry.
package enum TokenRefusal: Error, CaseIterable {
    case noIssuers, tooLong, notThreeParts, notBase64URL, emptySignature
    case headerNotJSON, claimsNotJSON, critical, detachedEncoding, unknownAlgorithm, badKeyID, badType
    case unknownIssuer, algorithmNotAllowed, keyIDMissing, unknownKey, algorithmNotOfKey, wrongSignature
    case wrongType, wrongTokenUse, wrongAudience, noIdentity
    case badTime, noExpiry, issuedInFuture, notYetValid, tooLongLived, expired

    /// What the log says.
    package var reason: StaticString {
        switch self {
        case .noIssuers: "neither an API key nor, as no issuer is configured, a token"
        case .tooLong: "token: longer than 16 KiB"
        case .notThreeParts: "neither an API key nor a token of three parts"
        case .notBase64URL: "token: a part is not canonical base64url without padding"
        case .emptySignature: "token: no signature"
        case .headerNotJSON: "token: the header is no strict JSON object"
        case .claimsNotJSON: "token: the claims are no strict JSON object"
        case .critical: "token: the header demands an extension (crit)"
        case .detachedEncoding: "token: the header has b64, which tokens may not use"
        case .unknownAlgorithm: "token: the algorithm is none that is known"
        case .badKeyID: "token: kid is no text"
        case .badType: "token: typ is no text"
        case .unknownIssuer: "token: the issuer is not configured"
        case .algorithmNotAllowed: "token: the issuer may not use this algorithm"
        case .keyIDMissing: "token: no kid, and the issuer has several keys"
        case .unknownKey: "token: the issuer has no key of this kid"
        case .algorithmNotOfKey: "token: the algorithm is not the key's"
        case .wrongSignature: "token: the signature is wrong"
        case .wrongType: "token: typ is not the one for this issuer"
        case .wrongTokenUse: "token: token_use is not the one for this issuer"
        case .wrongAudience: "token: meant for another audience"
        case .noIdentity: "token: the claim that names the user is missing, empty, or no text"
        case .badTime: "token: a time is no number of seconds, or beyond the year 9999"
        case .noExpiry: "token: no exp"
        case .issuedInFuture: "token: iat is in the future"
        case .notYetValid: "token: nbf is in the future"
        case .tooLongLived: "token: lives longer than maxAge, or does not say since when"
        case .expired: "token: expired"
        }
    }
}
