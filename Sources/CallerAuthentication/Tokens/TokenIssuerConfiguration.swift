package import Cryptography
package import DataFormats
package import HTTPClient
import Text

/// One entry of `auth.jwt`: an issuer of tokens, its keys, and the required claims.
package struct TokenIssuerConfiguration: Sendable {
    /// Where the keys are.
    package enum Keys: Sendable, Equatable {
        /// A file, with its path as written in the configuration.
        case file(Format, path: String)
        /// A JWK set that is fetched and kept current, or a discovery document that names it.
        case url(FetchURL, isDiscovery: Bool)

        /// The format of a file. The raw value is the key in the configuration.
        package enum Format: String, Sendable {
            /// A JWK set (RFC 7517 section 5).
            case keySet = "jwks"
            /// Public keys or certificates in PEM, without key ids.
            case pem
            /// A JSON object from key ids to PEM certificates, as Firebase publishes.
            case certificates
            /// The secret of HS256, HS384 and HS512.
            case secret = "secretFile"
        }

        /// The path of the file; nil for keys that are fetched.
        package var file: String? { if case .file(_, let path) = self { path } else { nil } }

        /// Whether the file holds a secret instead of public keys.
        var isSecret: Bool { if case .file(.secret, _) = self { true } else { false } }
    }

    /// The claims of a token that hold the caller's identity, groups and other values.
    package struct Claims: Sendable {
        var identity: ClaimPath
        package var groups: ClaimPath?
        package var others: [(name: [UInt8], path: ClaimPath)] = []
    }

    /// The unique name of the entry, for logs.
    package let name: String
    /// The required `iss`, compared as bytes.
    package let issuer: [UInt8]
    /// The accepted audiences. One must be in `aud`, or be the `client_id` of Cognito's access tokens. If empty, other
    /// bindings are configured and tokens have no `aud`.
    package let audiences: [[UInt8]]
    /// One of these must be the claim `azp`; empty accepts any.
    package let authorizedParties: [[UInt8]]
    /// One of these must be the `client_id` of an access token; empty accepts any.
    package let clientIDs: [[UInt8]]
    /// The header in which a proxy sends the tokens, in lower case; nil for `Authorization`.
    package let header: [UInt8]?
    /// The character between groups in one string; nil if only scopes are split.
    package let separator: UInt8?
    /// The accepted algorithms, at least one: either all with public keys or all with secrets.
    package let algorithms: [SignatureAlgorithm]
    /// Where the keys are.
    package let keys: Keys
    /// The age in seconds from which fetched keys are no longer used.
    private let maxStale: Int
    package let claims: Claims
    /// The provider whose defaults it has; nil for others.
    package let preset: TokenIssuerPreset?
    /// The accepted values of the claim `typ`, if a token has it; nil accepts any value.
    let typeClaims: [[UInt8]]?
    /// The allowed clock difference in seconds, 0...60.
    let leeway: Int
    /// The maximum number of seconds from `iat` to `exp`; nil sets no limit.
    package let maxAge: Int?
    /// The required header `typ`, in lower case without `application/`; nil accepts ID tokens, access tokens, and
    /// tokens without `typ`.
    package let type: [UInt8]?
    /// The kinds of Cognito tokens that are accepted; empty if the kind is not checked.
    let tokenUse: [TokenUse]

    /// Reads the section `auth.jwt`.
    package static func list(_ node: ConfigurationNode) throws(ConfigurationError) -> [TokenIssuerConfiguration] {
        var (names, iss): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        return try node.each { try TokenIssuerConfiguration($0, names: &names, issuers: &iss) }
    }

    /// - Parameters:
    ///   - names: The names of the entries so far; this one's is added.
    ///   - issuers: The issuers of the entries so far; this one's is added.
    private init(
        _ node: ConfigurationNode, names: inout Set<[UInt8]>, issuers: inout Set<[UInt8]>
    ) throws(ConfigurationError) {
        let keys = try node.mapping([
            "name", "issuer", "tenant", "audience", "algorithms", "jwks", "discovery", "pem", "certificates",
            "secretFile", "preset", "claims", "separator", "leeway", "maxAge", "maxStale", "typ", "tokenUse",
            "authorizedParties", "clientIDs", "header",
        ])
        let name = keys.required("name", APIKey.readID)
        let preset = keys.value("preset") { try $0.choice(TokenIssuerPreset.self) }
        let issuer = Self.issuer(keys, node, preset)
        let source = Self.keys(keys, node, preset, issuer)
        self.preset = preset
        // Where the audience follows from the issuer, it is not a mistake to omit it too.
        let audience = preset?.audience.flatMap { rule in
            issuer.map { rule($0).map { [Array($0.utf8)] } } ?? []
        }
        authorizedParties = keys.value("authorizedParties", Self.clients) ?? []
        clientIDs = keys.value("clientIDs", Self.clients) ?? []
        let isBound = keys["authorizedParties"] != nil || keys["clientIDs"] != nil
        audiences =
            Self.value("audience", implied: audience ?? (isBound ? [] : nil), in: keys, preset, Self.audiences) ?? []
        header =
            keys.value("header") { try CallerHeaderName.read($0, example: "Cf-Access-Jwt-Assertion") }
            ?? preset?.header.map { ASCII.lowercased($0.utf8) }
        separator = keys.value("separator", GroupSeparator.read)
        let implied = source?.isSecret == true ? preset?.secretAlgorithms : preset?.algorithms
        algorithms =
            Self.value("algorithms", implied: implied, in: keys, preset) { try Self.algorithms($0, source) } ?? []
        var claims = Claims(preset)
        _ = keys.value("claims") { try claims.read($0) }
        self.claims = claims
        typeClaims = preset?.typeClaims?.map { Array($0.utf8) }
        // Clocks synchronized by NTP differ by far less than the default.
        leeway = keys.value("leeway") { try $0.seconds(in: 0...60) } ?? 30
        maxAge = keys.value("maxAge") { try $0.seconds(in: 1...31_536_000) }
        type = keys.value("typ") { TokenHeader.normalized(type: Array(try $0.string().utf8)) }
        tokenUse = keys.value("tokenUse") { [try $0.choice(TokenUse.self)] } ?? preset?.tokenUse ?? []
        Self.noteDuplicates(of: name, issuer, &names, &issuers, node)
        maxStale = Self.maxStale(keys, source)
        guard let name, let source, let issuer else { throw keys.incomplete }
        (self.name, self.issuer, self.keys) = (name, Array(issuer.utf8), source)
    }

    private static func noteDuplicates(
        of name: String?, _ issuer: String?, _ names: inout Set<[UInt8]>, _ issuers: inout Set<[UInt8]>,
        _ node: ConfigurationNode
    ) {
        if let name, !names.insert(Array(name.utf8)).inserted {
            node.mistakes.add(node.error("has the duplicate name \(name.quoted); give each issuer its own name"))
        }
        if let issuer, !issuers.insert(Array(issuer.utf8)).inserted {
            node.mistakes.add(node.error("has a duplicate `issuer`; list all audiences of one issuer in one entry"))
        }
    }

    /// Where the keys are fetched; nil for keys from a file.
    package var keySource: RemoteKeySource? {
        guard case .url(let url, let isDiscovery) = keys else { return nil }
        return RemoteKeySource(
            issuerName: name, issuer: issuer, url: url, isDiscovery: isDiscovery, algorithms: algorithms,
            maxStale: maxStale)
    }

    /// Whether a token belongs to an anonymous user.
    func isAnonymous(_ claims: JSONValue) -> Bool { preset?.isAnonymous(claims) ?? false }

    /// Whether the issuer's discovery document is fetched.
    package var usesDiscovery: Bool { keySource?.isDiscovery == true }
}

/// The kind of a Cognito token, its claim `token_use`.
enum TokenUse: String, CaseIterable, Sendable {
    case id, access

    init?(claim: [UInt8]) {
        guard let use = Self.allCases.first(where: { $0.rawValue.utf8.elementsEqual(claim) }) else { return nil }
        self = use
    }
}
