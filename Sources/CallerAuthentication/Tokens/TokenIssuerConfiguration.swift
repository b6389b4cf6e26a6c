package import ConfigurationReading
package import Cryptography

/// One entry of `auth.jwt`: an issuer of tokens, and what its tokens must say.
package struct TokenIssuerConfiguration: Sendable {
    /// Where its keys come from.
    package enum Keys: Sendable, Equatable {
        /// A JWK set (RFC 7517 section 5).
        case keySet(file: String)
        /// Public keys or certificates in PEM; they have no names.
        case pem(file: String)
        /// A JSON object of names and certificates in PEM, as Firebase publishes it.
        case certificates(file: String)
        /// The secret of HS256, HS384 and HS512.
        case secret(file: String)

        /// The file, as the configuration names it.
        package var file: String {
            switch self {
            case .keySet(let file), .pem(let file), .certificates(let file), .secret(let file): file
            }
        }
    }

    /// Where a caller's properties stand in a token.
    package struct Claims: Sendable {
        var identity: ClaimPath
        package var groups: ClaimPath?
        package var others: [(name: [UInt8], path: ClaimPath)] = []
    }

    /// Its name in logs, unique.
    package let name: String
    /// `iss`, exactly these bytes.
    package let issuer: [UInt8]
    /// One of them must be in `aud`, or be the `client_id` of Cognito's access tokens.
    let audiences: [[UInt8]]
    /// At least one; either all with public keys or all with secrets.
    package let algorithms: [SignatureAlgorithm]
    /// Where its keys come from.
    package let keys: Keys
    package let claims: Claims
    /// How its tokens tell users who did not sign in.
    let anonymity: TokenAnonymity?
    /// What the claim `typ` may say, if it is there; nil: anything.
    let typeClaims: [[UInt8]]?
    /// Seconds by which clocks may differ, 0...60.
    let leeway: Int
    /// Seconds from `iat` to `exp` at most; nil: no limit.
    package let maxAge: Int?
    /// The `typ` that tokens must have, in lower case without `application/`; nil: those of ID and access tokens, or none.
    package let type: [UInt8]?
    let tokenUse: TokenUse

    /// Leeway when none is configured, seconds: clocks that are kept by NTP differ by far less.
    static let usualLeeway = 30

    /// Reads the section `auth.jwt`.
    package static func list(_ node: ConfigurationNode) throws(ConfigurationError) -> [TokenIssuerConfiguration] {
        var (names, iss): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        return try node.each { node in
            let entry = try TokenIssuerConfiguration(node)
            guard names.insert(Array(entry.name.utf8)).inserted else {
                throw node.error("repeats the name \"\(entry.name)\"; give each issuer its own")
            }
            guard iss.insert(entry.issuer).inserted else {
                throw node.error("repeats an issuer; list all audiences of one issuer in one entry")
            }
            return entry
        }
    }

    private init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping([
            "name", "issuer", "audience", "algorithms", "jwks", "pem", "certificates", "secretFile", "preset", "claims",
            "leeway", "maxAge", "typ", "tokenUse",
        ])
        let nameNode = try keys.required("name")
        name = try nameNode.string()
        guard APIKey.isValidID(name.utf8) else { throw nameNode.error("must be 1 to 64 of A-Z a-z 0-9 . _ -") }
        self.keys = try Self.keys(keys, node)
        let preset = try keys["preset"]?.choice(TokenIssuerPreset.self)
        let issuer = try Self.issuer(keys, preset)
        self.issuer = Array(issuer.utf8)
        audiences = try Self.audiences(keys, preset, issuer)
        algorithms = try Self.algorithms(keys, preset, self.keys)
        claims = try Claims(keys["claims"], preset)
        anonymity = preset?.anonymity
        typeClaims = preset?.typeClaims
        leeway = keys.value("leeway") { try $0.seconds(in: 0...60) } ?? Self.usualLeeway
        maxAge = keys.value("maxAge") { try $0.seconds(in: 1...31_536_000) }
        type = try keys["typ"].map { node throws(ConfigurationError) in
            TokenHeader.normalized(type: Array(try node.string().utf8))
        }
        tokenUse = try keys["tokenUse"]?.choice(TokenUse.Pinned.self).use ?? preset?.tokenUse ?? .unchecked
    }
}

/// Which of Cognito's kinds of tokens are taken, by their claim `token_use`.
enum TokenUse: Sendable {
    case unchecked, either, id, access

    /// What may be configured.
    enum Pinned: String, CaseIterable {
        case id, access
        var use: TokenUse { self == .id ? .id : .access }
    }

    init?(claim: [UInt8]) {
        guard let pinned = Pinned.allCases.first(where: { $0.rawValue.utf8.elementsEqual(claim) }) else { return nil }
        self = pinned.use
    }
}
