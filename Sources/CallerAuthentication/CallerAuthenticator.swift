import Cryptography
package import HTTP1
package import Presigning
import Refreshing
package import Requests
package import System
import Text

/// The result of authenticating a request.
package enum AuthenticationOutcome: Sendable {
    case authenticated(Caller)
    /// No credentials, and guests are accepted.
    case guest
    /// No credentials, and guests are not accepted.
    case missing
    /// A token that is valid except that it has expired. The response may say so.
    case expired
    /// A known API key after its `notAfter`. The response may say so.
    case expiredKey
    /// An API key in `Authorization` without the scheme `Bearer`. It was not checked.
    case keyWithoutScheme
    /// An API key as user name or password of `Authorization: Basic`. It was not checked.
    case keyInBasic
    /// A token that is not in the cache and was not verified, because `verifiesTokens` was false.
    case unverified
    /// A token that cannot be verified before its issuer's keys are fetched. `retryAfter` is in seconds.
    case keysUnavailable(reason: String, retryAfter: Int)
    /// Invalid credentials. The reason is for the log, never for the response.
    case rejected(reason: String)
    /// More than one set of credentials (RFC 6750 section 2 allows one).
    case ambiguous
}

/// Authenticates callers by request headers and client certificates.
package final class CallerAuthenticator: Sendable {
    private let configuration: AuthenticationConfiguration
    /// Sorted by the bytes of their ids. The first entry is a dummy: keys with an unknown id are compared with it, so
    /// that response times do not reveal which ids exist.
    private let keys: [(id: [UInt8], entry: APIKeyEntry)]
    private let tokens: TokenVerifier
    /// The names of the headers that decide who calls, for `Vary`.
    private let decidingHeaders: String
    /// The headers in which proxies send tokens, in lower case.
    let tokenHeaders: [[UInt8]]
    /// Authenticates a trusted proxy; nil if none is configured.
    package let proxy: TrustedProxyAuthenticator?

    /// Loads the keys in files and the proxy's secret, and takes the current keys from the pool.
    ///
    /// - Parameters:
    ///   - configuration: The section `auth`.
    ///   - pool: The issuers' keys that are fetched. It may have none yet.
    ///   - read: Returns the content of a file.
    /// - Throws: `KeyFailure` for the first issuer with unusable keys, or for the secret of the proxy.
    package init(
        _ configuration: AuthenticationConfiguration, keys pool: IssuerKeyPool, read: (String) throws -> [UInt8]
    ) throws {
        self.configuration = configuration
        tokens = TokenVerifier(
            try configuration.issuers.compactMap { issuer -> TokenIssuer? in
                if let source = issuer.keySource { return TokenIssuer(issuer, from: try pool.value(of: source)) }
                return try IssuerKeys(of: issuer, read: read).map { TokenIssuer(issuer, $0) }
            })
        proxy = try configuration.proxy.map { try TrustedProxyAuthenticator($0, read: read) }
        decidingHeaders = configuration.decidingHeaders
        tokenHeaders = configuration.tokenHeaders
        let dummy = APIKeyEntry(id: "", digests: [SHA256.hash(Array("unknown".utf8))])
        keys = ([dummy] + configuration.apiKeys).map { (Array($0.id.utf8), $0) }
            .sorted { $0.id.lexicographicallyPrecedes($1.id) }
    }

    private init(_ other: CallerAuthenticator, _ tokens: TokenVerifier) {
        (configuration, keys, proxy, self.tokens) = (other.configuration, other.keys, other.proxy, tokens)
        (decidingHeaders, tokenHeaders) = (other.decidingHeaders, other.tokenHeaders)
    }

    /// Warnings about keys in files, such as keys that are not used.
    package var warnings: [String] {
        tokens.issuers.filter { $0.source == nil }.flatMap { $0.keys?.warnings ?? [] }
    }

    /// How client certificates identify callers; nil if `auth.mtls` is not configured.
    var certificates: ClientCertificateConfiguration? { configuration.certificates }

    /// An authenticator with the issuers' current keys; itself if they have not changed.
    package func withCurrentKeys() -> CallerAuthenticator {
        let current = tokens.withCurrentKeys()
        return current === tokens ? self : CallerAuthenticator(self, current)
    }

    /// Whether the first keys of an issuer have not been fetched, or its last ones are too old.
    package var lacksKeys: Bool { tokens.issuers.contains { $0.keys == nil } }

    /// The refresh of each issuer whose keys are fetched.
    package var fetchedKeys: [(issuer: String, keys: CurrentIssuerKeys)] {
        tokens.issuers.compactMap { issuer in issuer.source.map { (issuer.configuration.name, $0) } }
    }

    /// The ids of the keys from each issuer's file, so that a reload can log changes; empty for keys without ids.
    package var fileKeyIDs: [(issuer: String, keyIDs: [String])] {
        tokens.issuers.filter { $0.configuration.keys.file != nil }.map { issuer in
            (issuer.configuration.name, (issuer.keys?.keyIDs ?? []).map { String(decoding: $0, as: UTF8.self) })
        }
    }

    /// Where the users of an issuer sign in; nil for an unknown issuer, before the first discovery document is fetched,
    /// and if it names no endpoints.
    ///
    /// - Parameter name: The issuer's name in the configuration.
    package func endpoints(ofIssuer name: String) -> ProviderEndpoints? {
        tokens.issuers.first { $0.configuration.name.utf8.elementsEqual(name.utf8) }?.endpoints
    }

    /// Authenticates a request.
    ///
    /// - Parameters:
    ///   - headers: The request's headers.
    ///   - certificate: The verified client certificate, if any. Together with a key or a token it is ambiguous.
    ///   - client: The client's address.
    ///   - time: The current time.
    ///   - acceptsBasic: Whether the password of Basic authentication may be an API key or a token, with any user name.
    ///   - verifiesTokens: Whether to verify tokens. If false, only cached tokens are accepted.
    package func outcome(
        for headers: HTTPHeaders, certificate: PeerCertificate? = nil, from client: PeerAddress, at time: SigningTime,
        acceptsBasic: Bool = false, verifiesTokens: @autoclosure () -> Bool = true
    ) -> AuthenticationOutcome {
        let (authorizations, keys) = (headers.count(.authorization), headers.count(.apiKey))
        if authorizations + keys > 1 { return .ambiguous }
        if let certificate, let certificates {
            guard authorizations + keys == 0, self.tokens(in: headers).isEmpty else { return .ambiguous }
            return certificates.outcome(for: certificate, at: time)
        }
        let bytes = headers.bytes.span
        if let key = headers.range(of: .apiKey) { return outcome(forKey: bytes.extracting(key), at: time) }
        guard let authorization = headers.range(of: .authorization) else {
            return outcome(forProxied: self.tokens(in: headers), of: bytes, from: client, at: time, verifiesTokens)
        }
        let value = bytes.extracting(authorization)
        if acceptsBasic, let password = Self.basicCredentials(value)?.password {
            return outcome(forBearer: password.span, from: client, at: time, verifiesTokens)
        }
        guard let start = Self.tokenStart(in: value) else {
            if value.starts(with: "psk_") { return .keyWithoutScheme }
            return Self.isKeyInBasic(value)
                ? .keyInBasic : .rejected(reason: "the Authorization scheme is not Bearer")
        }
        return outcome(forBearer: value.extracting(start...), from: client, at: time, verifiesTokens)
    }

    /// The outcome for an API key or a token.
    private func outcome(
        forBearer token: Span<UInt8>, from client: PeerAddress, at time: SigningTime, _ verifiesTokens: () -> Bool
    ) -> AuthenticationOutcome {
        // A token starts with the base64url of a JSON object, which never starts with `psk_`.
        if token.starts(with: "psk_") { return outcome(forKey: token, at: time) }
        return outcome(forToken: token, in: nil, from: client, at: time, verifiesTokens)
    }

    /// The outcome for what proxies have sent in their headers, if anything.
    private func outcome(
        forProxied found: [ProxiedToken], of bytes: Span<UInt8>, from client: PeerAddress, at time: SigningTime,
        _ verifiesTokens: () -> Bool
    ) -> AuthenticationOutcome {
        guard let token = found.first else { return configuration.allowsGuests ? .guest : .missing }
        guard found.count == 1 else { return .rejected(reason: "token: more than one header of proxies has one") }
        return outcome(
            forToken: bytes.extracting(token.value), in: token.header, from: client, at: time, verifiesTokens)
    }

    private func outcome(
        forToken token: Span<UInt8>, in header: [UInt8]?, from client: PeerAddress, at time: SigningTime,
        _ verifiesTokens: () -> Bool
    ) -> AuthenticationOutcome {
        let now = time.secondsSince1970
        guard verifiesTokens() else {
            return tokens.cache.caller(for: token, in: header, at: now).map(outcome(for:)) ?? .unverified
        }
        do throws(TokenRefusal) {
            return outcome(for: try tokens.caller(for: token, in: header, from: client, at: now))
        } catch {
            switch error {
            case .expired: return .expired
            case .noKeys(let seconds), .newKey(let seconds):
                return .keysUnavailable(reason: error.reason, retryAfter: seconds)
            default: return .rejected(reason: error.reason)
            }
        }
    }

    /// The names of the headers that decide who calls, comma-separated, for the `Vary` of a response that the caller
    /// may cache. Nil for a caller with a client certificate, which `Vary` cannot name.
    package func headersDeciding(_ caller: Caller) -> String? { caller.scheme == .mutualTLS ? nil : decidingHeaders }

    /// The outcome for the caller of a valid token.
    private func outcome(for caller: Caller) -> AuthenticationOutcome {
        caller.isGuest && !configuration.allowsGuests
            ? .rejected(reason: "token: anonymous user, and auth.guest is not true") : .authenticated(caller)
    }

    private func outcome(forKey text: Span<UInt8>, at time: SigningTime) -> AuthenticationOutcome {
        guard let id = APIKey.id(in: text) else { return .rejected(reason: "malformed API key") }
        let digest = SHA256.hash(text)
        let index = index(ofKey: text.extracting(id))
        let entry = keys[index].entry
        var matches = false
        // Compares every digest, so that the time does not reveal which one matches.
        for stored in entry.digests { matches = (stored == digest) || matches }
        guard matches, index != 0 else { return .rejected(reason: "unknown API key") }
        if entry.isDisabled { return .rejected(reason: "disabled API key") }
        if let end = entry.notAfter, time >= end { return .expiredKey }
        return .authenticated(entry.caller)
    }

    /// The index of the key with this id; 0, the dummy, for an unknown id.
    private func index(ofKey id: Span<UInt8>) -> Int {
        var (low, high) = (1, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if id.follows(keys[middle].id) { low = middle + 1 } else { high = middle }
        }
        return low < keys.count && id.equals(keys[low].id) ? low : 0
    }

    /// Whether the user name or the password of Basic authentication begins like an API key.
    private static func isKeyInBasic(_ value: Span<UInt8>) -> Bool {
        guard let (user, password) = basicCredentials(value) else { return false }
        return user.span.starts(with: "psk_") || password.span.starts(with: "psk_")
    }

    /// The user name and the password of Basic authentication (RFC 7617 section 2); nil for another scheme.
    private static func basicCredentials(
        _ value: Span<UInt8>
    ) -> (user: ArraySlice<UInt8>, password: ArraySlice<UInt8>)? {
        let start = "basic ".utf8.count
        guard value.startsIgnoringCase(with: "basic "), let decoded = Base64.decode(value.extracting(start...)) else {
            return nil
        }
        let user = decoded.prefix { $0 != UInt8(ascii: ":") }
        return (user, decoded[user.endIndex...].dropFirst())
    }

    /// The index of the token after `Bearer`, which is case-insensitive (RFC 9110 section 11.1).
    private static func tokenStart(in value: Span<UInt8>) -> Int? {
        var start = "bearer ".utf8.count
        guard value.count > start, value.startsIgnoringCase(with: "bearer ") else { return nil }
        while start < value.count, value[start] == UInt8(ascii: " ") { start += 1 }
        return start
    }
}
