package import AccessRules
import Cryptography
package import HTTP1
package import Presigning
package import TLS
import Text

/// What a request's credentials prove.
package enum AuthenticationOutcome: Sendable {
    case authenticated(Caller)
    /// No credentials, and guests are welcome.
    case guest
    /// No credentials, and guests are not.
    case missing
    /// A token that was good in all else but has expired; its holder may know.
    case expired
    /// An API key that was good until its `notAfter`; its holder may know.
    case expiredKey
    /// An API key in `Authorization` without the scheme `Bearer`; it was not looked at.
    case keyWithoutScheme
    /// A token not seen before, which was not verified because the caller asked for that.
    case unverified
    /// Credentials that prove nothing. Which part failed is for the log, never for the caller.
    case rejected(reason: StaticString)
    /// More than one set of credentials (RFC 6750 section 2 allows one).
    case ambiguous
}

/// Tells who calls, from the headers and the client's certificate.
package final class CallerAuthenticator: Sendable {
    private let allowsGuests: Bool
    /// Sorted by the bytes of their ids. The first one stands for all ids that are unknown, which are compared too, so that
    /// the time taken does not tell which ids exist.
    private let keys: [(id: [UInt8], entry: APIKeyEntry)]
    private let tokens: TokenVerifier
    /// Believes a trusted proxy; nil: there is none.
    package let proxy: TrustedProxyAuthenticator?
    /// Believes certificates; nil: they prove nothing here.
    package let certificates: ClientCertificates?
    /// The names of the keys of each issuer of tokens, so that a change can be told; empty where keys have no names.
    package let issuerKeyIDs: [(issuer: String, keyIDs: [String])]
    /// Keys of issuers that are not used, and why.
    package let warnings: [String]

    /// Takes the keys and the rule about guests, and reads the keys of the issuers of tokens and the proxy's secret.
    ///
    /// - Parameter read: gives the content of a file.
    /// - Throws: `IssuerKeyFailure` for the first issuer whose keys cannot be used, `ProxySecretFailure`.
    package init(
        _ configuration: AuthenticationConfiguration, read: (String) throws -> [UInt8]
    ) throws {
        var issuers: [TokenIssuer] = []
        for issuer in configuration.issuers {
            issuers.append(TokenIssuer(issuer, try IssuerKeys(of: issuer, read: read)))
        }
        proxy = try configuration.proxy.map { try TrustedProxyAuthenticator($0, read: read) }
        certificates = configuration.certificates.map { ClientCertificates(kind: $0.identity) }
        tokens = TokenVerifier(issuers)
        issuerKeyIDs = issuers.map { issuer in
            (issuer.configuration.name, issuer.keys.keyIDs.map { String(decoding: $0, as: UTF8.self) })
        }
        warnings = issuers.flatMap(\.keys.warnings)
        allowsGuests = configuration.allowsGuests
        let unknown = APIKeyEntry(id: "", digests: [SHA256.hash(Array("unknown".utf8))])
        keys = ([unknown] + configuration.apiKeys).map { (Array($0.id.utf8), $0) }
            .sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    /// - Parameters:
    ///   - certificate: the client's, verified. It is a set of credentials like any other: beside a key or a token nobody
    ///     could say who calls.
    ///   - time: now, for keys that end.
    ///   - verifiesTokens: false: no signature is verified, and only tokens verified before are accepted.
    package func outcome(
        for headers: HTTPHeaders, certificate: PeerCertificate? = nil, at time: SigningTime, verifiesTokens: Bool = true
    ) -> AuthenticationOutcome {
        let (authorizations, keys) = (headers.count(.authorization), headers.count(.apiKey))
        if authorizations + keys > 1 { return .ambiguous }
        if let certificate, let certificates {
            guard authorizations + keys == 0 else { return .ambiguous }
            return certificates.outcome(for: certificate, at: time)
        }
        let bytes = headers.bytes.span
        if let key = headers.range(of: .apiKey) { return outcome(forKey: bytes.extracting(key), at: time) }
        guard let authorization = headers.range(of: .authorization) else { return allowsGuests ? .guest : .missing }
        let value = bytes.extracting(authorization)
        guard let start = Self.tokenStart(in: value) else {
            return value.starts(with: "psk_")
                ? .keyWithoutScheme : .rejected(reason: "the Authorization scheme is not Bearer")
        }
        let token = value.extracting(start...)
        // Tokens begin with the base 64 of a brace and never so.
        if token.starts(with: "psk_") { return outcome(forKey: token, at: time) }
        guard verifiesTokens else {
            return tokens.rememberedCaller(for: token, at: time.secondsSince1970).map(outcome(for:)) ?? .unverified
        }
        do throws(TokenRefusal) {
            return outcome(for: try tokens.caller(for: token, at: time.secondsSince1970))
        } catch {
            return error == .expired ? .expired : .rejected(reason: error.reason)
        }
    }

    /// What a valid token proves.
    private func outcome(for caller: Caller) -> AuthenticationOutcome {
        caller.isGuest && !allowsGuests
            ? .rejected(reason: "token: an anonymous user's; guests are refused") : .authenticated(caller)
    }

    private func outcome(forKey text: Span<UInt8>, at time: SigningTime) -> AuthenticationOutcome {
        guard let id = APIKey.id(in: text) else { return .rejected(reason: "malformed API key") }
        let digest = SHA256.hash(text)
        let place = place(ofKey: text.extracting(id))
        var matches = false
        // Every digest is compared, whichever matches. By index: to hold the entry would count it.
        for index in keys[place].entry.digests.indices {
            matches = (keys[place].entry.digests[index] == digest) || matches
        }
        guard matches, place != 0 else { return .rejected(reason: "unknown API key") }
        let entry = keys[place].entry
        if entry.isDisabled { return .rejected(reason: "disabled API key") }
        if let end = entry.notAfter, time >= end { return .expiredKey }
        return .authenticated(entry.caller)
    }

    /// Where the key with this id stands; 0 where there is none.
    private func place(ofKey id: Span<UInt8>) -> Int {
        var (low, high) = (1, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if id.follows(keys[middle].id) { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && id.equals(keys[low].id) ? low : 0
    }

    /// Where the token behind `Bearer` begins, whose case does not matter (RFC 9110 section 11.1).
    private static func tokenStart(in value: Span<UInt8>) -> Int? {
        var start = "bearer ".utf8.count
        guard value.count > start, value.startsIgnoringCase(with: "bearer ") else { return nil }
        while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
        return start
    }
}
