package import ConfigurationReading
import Cryptography

extension TokenIssuerConfiguration {
    package static func keys(_ keys: ConfigurationMapping, _ node: ConfigurationNode) throws(ConfigurationError) -> Keys
    {
        var found: [Keys] = []
        if let node = keys["jwks"] { found.append(.keySet(file: try node.string())) }
        if let node = keys["pem"] { found.append(.pem(file: try node.string())) }
        if let node = keys["certificates"] { found.append(.certificates(file: try node.string())) }
        if let node = keys["secretFile"] { found.append(.secret(file: try node.string())) }
        guard let source = found.first, found.count == 1 else {
            throw node.error("needs exactly one of `jwks`, `pem`, `certificates` and `secretFile`")
        }
        return source
    }

    package static func issuer(
        _ keys: ConfigurationMapping, _ preset: TokenIssuerPreset?
    ) throws(ConfigurationError) -> String {
        guard let node = keys["issuer"] else {
            if let issuer = preset?.issuer { return issuer }
            return try keys.required("issuer").string()
        }
        let issuer = try node.string()
        // The one issuer whose name is nearly always written wrong; tokens are compared with it byte by byte.
        if preset == .auth0, issuer.utf8.last != UInt8(ascii: "/") {
            throw node.error("must end in \"/\", as the issuers of Auth0 do")
        }
        return issuer
    }

    static func audiences(
        _ keys: ConfigurationMapping, _ preset: TokenIssuerPreset?, _ issuer: String
    ) throws(ConfigurationError) -> [[UInt8]] {
        guard let node = keys["audience"] else {
            if let audience = preset?.audience(of: issuer) { return [Array(audience.utf8)] }
            return [Array(try keys.required("audience").string().utf8)]
        }
        var audiences: [[UInt8]] = []
        for node in node.isList ? try node.list() : [node] { audiences.append(Array(try node.string().utf8)) }
        guard !audiences.isEmpty else { throw node.error("must hold at least one audience") }
        return audiences
    }

    static func algorithms(
        _ keys: ConfigurationMapping, _ preset: TokenIssuerPreset?, _ source: Keys
    ) throws(ConfigurationError) -> [SignatureAlgorithm] {
        let isSecret = if case .secret = source { true } else { false }
        guard let node = keys["algorithms"] else {
            if let algorithms = preset?.algorithms(withSecret: isSecret) { return algorithms }
            // Says that the key is missing.
            return try Self.algorithms(try keys.required("algorithms"), isSecret: isSecret)
        }
        return try algorithms(node, isSecret: isSecret)
    }

    private static func algorithms(
        _ node: ConfigurationNode, isSecret: Bool
    ) throws(ConfigurationError) -> [SignatureAlgorithm] {
        var algorithms: [SignatureAlgorithm] = []
        for node in try node.list() {
            let algorithm = try node.choice(SignatureAlgorithm.self)
            guard (algorithm.keyKind == .secret) == isSecret else {
                throw node.error(
                    isSecret
                        ? "needs public keys: HS256, HS384 and HS512 alone go with `secretFile`"
                        : "needs `secretFile`, not public keys: whoever knows a public key could sign")
            }
            algorithms.append(algorithm)
        }
        guard !algorithms.isEmpty else { throw node.error("must hold at least one algorithm") }
        return algorithms
    }
}

extension TokenIssuerConfiguration.Claims {
    init(_ node: ConfigurationNode?, _ preset: TokenIssuerPreset?) throws(ConfigurationError) {
        identity = ClaimPath([preset?.identity ?? "sub"])
        groups = preset?.groups.map { ClaimPath($0) }
        for member in try node?.members() ?? [] {
            let path = try Self.path(member.value)
            switch member.key {
            case "identity": identity = path
            case "groups": groups = path
            default:
                // The names that templates can write, {claim.NAME}.
                guard APIKey.isValidID(member.key.utf8) else {
                    throw ConfigurationError(
                        member.keyPosition,
                        "a claim's name is 1 to 64 of A-Z a-z 0-9 . _ -; its value says where it stands")
                }
                others.append((Array(member.key.utf8), path))
            }
        }
    }

    /// A text is one name at the top, whatever characters it has; a list leads down into objects.
    private static func path(_ node: ConfigurationNode) throws(ConfigurationError) -> ClaimPath {
        guard node.isList else { return ClaimPath([try node.string()]) }
        var names: [String] = []
        for name in try node.list() { names.append(try name.string()) }
        guard !names.isEmpty else { throw node.error("must hold at least one name") }
        return ClaimPath(names)
    }
}
