import AccessRules
package import CallerAuthentication
package import Cryptography
package import Presigning
package import Requests

/// Makes and opens share links with one configuration. Links are not stored: each is sealed in its own URL.
package struct ShareLinks: Sendable {
    /// A key file that cannot be used.
    package struct KeyFailure: Error, CustomStringConvertible {
        package let description: String
    }

    /// An opened link.
    package struct Opened: Sendable {
        /// The link's id in logs and in `shares.revoked`.
        package let id: [UInt8]
        /// The id of its key.
        package let keyID: [UInt8]
        package let share: Share
    }

    /// The scheme and host of every link; nil for those of the request that makes it.
    let origin: String?
    private let keys: [ShareKey]
    private let revoked: [ShareRevocation]
    private let apiKeys: [[UInt8]: APIKeyEntry]
    private let issuers: [[UInt8]: [UInt8]]
    private let acceptsProxy, acceptsCertificates: Bool

    /// Reads the keys.
    ///
    /// - Parameters:
    ///   - authentication: the callers that are accepted now.
    ///   - read: returns the content of a file.
    /// - Returns: nil if no keys are configured.
    /// - Throws: `KeyFailure` for a file that has no key; errors of `read`.
    package init?(
        _ configuration: ShareConfiguration, _ authentication: AuthenticationConfiguration,
        read: (String) throws -> [UInt8]
    ) throws {
        if configuration.keys.isEmpty { return nil }
        keys = try configuration.keys.map { key in
            let (text, name) =
                switch key.source {
                case .file(let path): (try read(path), path)
                case .text(let text): (Array(text.utf8), "the storage's key")
                }
            if let key = ShareKey(id: key.id, text) { return key }
            throw KeyFailure(
                description: "shares.keys: \(name) has no share key; write one with `presign key new --share`")
        }
        origin = configuration.origin
        revoked = configuration.revoked
        apiKeys = Dictionary(authentication.apiKeys.map { (Array($0.id.utf8), $0) }) { first, _ in first }
        issuers = Dictionary(authentication.issuers.map { (Array($0.name.utf8), $0.issuer) }) { first, _ in first }
        acceptsProxy = authentication.proxy?.identity != nil
        acceptsCertificates = authentication.certificates != nil
    }

    /// Seals a share with the first key.
    ///
    /// - Returns: the token, and the id of the link; nil if OpenSSL fails.
    /// - Throws: if the system has no random bytes.
    package func seal(_ share: Share) throws(SecureRandom.Failure) -> (token: String, id: [UInt8])? {
        try ShareToken(sealing: share, with: keys[0]).map { ($0.text, $0.id) }
    }

    /// Opens a token, of whatever age.
    ///
    /// - Throws: `Problem.shareInvalid` for everything that no key sealed.
    package func open(_ token: ArraySlice<UInt8>) throws(Refusal) -> Opened {
        guard let token = ShareToken(token) else { throw Refusal(.shareInvalid, "not the form of a share link") }
        guard let key = keys.first(where: { $0.id.utf8.elementsEqual(token.keyID) }) else {
            throw Refusal(.shareInvalid, "a share link with an unknown key")
        }
        guard let share = token.share(openedWith: key) else {
            throw Refusal(.shareInvalid, "a share link that was changed")
        }
        return Opened(id: token.id, keyID: Array(token.keyID), share: share)
    }

    /// Returns the caller who made a link, as the rules know the caller now: an API key as it is configured, any other
    /// caller as sealed.
    ///
    /// - Throws: `Problem.shareEnded` if the link has expired or is revoked, or if the service rejects its maker.
    package func minter(of link: Opened, at time: SigningTime) throws(Refusal) -> Caller {
        let share = link.share
        guard time < share.expires else { throw Refusal(.shareEnded, "expired") }
        if let item = revoked.first(where: { $0.matches(link) }) {
            throw Refusal(.shareEnded, "revoked by \(item.position)")
        }
        let minter = share.minter
        if let id = minter.apiKeyID {
            guard let entry = apiKeys[id], !entry.isDisabled, entry.notAfter.map({ time < $0 }) ?? true else {
                throw Refusal(.shareEnded, "the API key is not configured, disabled, or past its notAfter")
            }
            return entry.caller
        }
        switch minter.scheme {
        case .mutualTLS where acceptsCertificates, .proxy where acceptsProxy: return minter
        case .jwt:
            guard let token = minter.token, let issuer = issuers[Array(token.issuerName.utf8)] else {
                throw Refusal(.shareEnded, "the token's issuer is not configured")
            }
            return Caller(
                token: Caller.Token(
                    issuerName: token.issuerName, issuer: issuer, subject: token.subject, keyID: nil, tokenID: nil,
                    expiry: 0),
                identity: minter.identity, groups: minter.groups, claims: minter.claims, isGuest: false)
        case .mutualTLS, .proxy, .apiKey, .guest:
            throw Refusal(.shareEnded, "the maker's way to sign in is not configured")
        }
    }
}

extension ShareRevocation {
    /// Whether it revokes a link.
    fileprivate func matches(_ link: ShareLinks.Opened) -> Bool {
        let made = link.share
        return (share.map { $0 == link.id } ?? true) && (caller.map { $0 == made.minter.label } ?? true)
            && (path?.matches(made.path) ?? true) && (before.map { made.created < $0 } ?? true)
    }
}

extension Caller {
    /// Returns the caller without the claims that no rule names, to keep links short.
    ///
    /// - Parameter names: the names of the claims that rules name.
    func keepingClaims(_ names: Set<[UInt8]>) -> Caller {
        guard let token, !claims.isEmpty else { return self }
        return Caller(
            token: token, identity: identity, groups: groups, claims: claims.filter { names.contains($0.name) },
            isGuest: isGuest)
    }
}
