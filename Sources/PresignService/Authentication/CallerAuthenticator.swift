import CryptoHashing
package import HTTPServing
package import Presigning

/// What a request's credentials prove.
package enum AuthenticationOutcome: Sendable {
    case authenticated(Caller)
    /// No credentials, and guests are welcome.
    case guest
    /// No credentials, and guests are not.
    case missing
    /// Credentials that prove nothing. Which part failed is for the log, never for the caller.
    case rejected(reason: StaticString)
    /// More than one set of credentials (RFC 6750 section 2 allows one).
    case ambiguous
}

/// Tells who calls, from the headers alone.
package final class CallerAuthenticator: Sendable {
    private let allowsGuests: Bool
    private let keys: [[UInt8]: APIKeyEntry]
    /// An unknown id is compared too, so that the time taken does not tell which ids exist.
    private let unknownKey = SHA256.hash(Array("unknown".utf8))

    /// Takes the keys and the rule about guests.
    package init(_ configuration: AuthenticationConfiguration) {
        allowsGuests = configuration.allowsGuests
        keys = Dictionary(
            configuration.apiKeys.map { (Array($0.id.utf8), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter time: now, for keys that end.
    package func outcome(for headers: HTTPHeaders, at time: SigningTime) -> AuthenticationOutcome {
        let authorizations = headers.count("authorization")
        let keyHeaders = headers.count("x-api-key")
        if authorizations + keyHeaders > 1 { return .ambiguous }
        if let key = headers.first("x-api-key") { return outcome(forKey: key, at: time) }
        guard let authorization = headers.first("authorization") else { return allowsGuests ? .guest : .missing }
        guard let token = Self.bearerToken(authorization) else {
            return .rejected(reason: "the Authorization scheme is not Bearer")
        }
        return outcome(forKey: token, at: time)
    }

    private func outcome(forKey text: ArraySlice<UInt8>, at time: SigningTime) -> AuthenticationOutcome {
        guard let key = APIKey(text) else { return .rejected(reason: "malformed API key") }
        let digest = SHA256.hash(Array(text))
        let entry = keys[Array(key.id)]
        var matches = false
        // Every digest is compared, whichever matches.
        for candidate in entry?.digests ?? [unknownKey] { matches = (candidate == digest) || matches }
        guard let entry, matches else { return .rejected(reason: "unknown API key") }
        if entry.isDisabled { return .rejected(reason: "disabled API key") }
        if let end = entry.notAfter, time >= end { return .rejected(reason: "API key past its notAfter") }
        return .authenticated(entry.caller)
    }

    /// The token behind `Bearer`, whose case does not matter (RFC 9110 section 11.1).
    private static func bearerToken(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = Array("bearer ".utf8)
        guard value.count > scheme.count else { return nil }
        for (byte, expected) in zip(value, scheme) where byte | 0x20 != expected { return nil }
        return value.dropFirst(scheme.count).drop { $0 == UInt8(ascii: " ") }
    }
}
