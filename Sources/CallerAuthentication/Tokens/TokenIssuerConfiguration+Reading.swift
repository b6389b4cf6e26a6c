package import ConfigurationReading
import Cryptography

extension TokenIssuerConfiguration {
    package static func keys(
        _ keys: ConfigurationMapping, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Keys {
        var found: [Keys] = []
        if let node = keys["jwks"] { found.append(.keySet(file: try node.string())) }
        if let node = keys["pem"] { found.append(.pem(file: try node.string())) }
        if let node = keys["certificates"] { found.append(.certificates(file: try node.string())) }
        if let node = keys["secretFile"] { found.append(.secret(file: try node.string())) }
        guard let source = found.first, found.count == 1 else {
            throw node.error(
                "needs exactly one of `jwks`, `pem`, `certificates` and `secretFile`, but has \(found.count)")
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
        // A common mistake: Auth0's `iss` ends in a slash, and `iss` is compared byte by byte.
        if preset == .auth0, issuer.utf8.last != UInt8(ascii: "/") {
            throw node.error("must end in \"/\", as Auth0's `iss` does; write `\(issuer)/`")
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
        guard !audiences.isEmpty else { throw node.error("must name at least one audience") }
        return audiences
    }

    static func algorithms(
        _ keys: ConfigurationMapping, _ preset: TokenIssuerPreset?, _ source: Keys
    ) throws(ConfigurationError) -> [SignatureAlgorithm] {
        let isSecret = if case .secret = source { true } else { false }
        guard let node = keys["algorithms"] else {
            if let algorithms = preset?.algorithms(withSecret: isSecret) { return algorithms }
            // Throws, because the key is missing.
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
                let name = algorithm.rawValue
                throw node.error(
                    isSecret
                        ? "is \(name), which needs public keys; `secretFile` is for HS256, HS384 and HS512"
                        : "is \(name), which needs `secretFile`: with a public key as the secret, anyone could sign tokens"
                )
            }
            algorithms.append(algorithm)
        }
        guard !algorithms.isEmpty else { throw node.error("must name at least one algorithm, such as RS256") }
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
                // The same characters as NAME in the template {claim.NAME}.
                guard APIKey.isValidID(member.key.utf8) else {
                    throw ConfigurationError(
                        member.keyPosition,
                        "the claim name `\(member.key)` must be 1 to 64 characters A-Z a-z 0-9 . _ -, and not . or ..; "
                            + "put the name of the token's claim into its value")
                }
                others.append((Array(member.key.utf8), path))
            }
        }
    }

    /// A string is the name of a top-level claim, with any characters. A list is a path into nested objects.
    private static func path(_ node: ConfigurationNode) throws(ConfigurationError) -> ClaimPath {
        guard node.isList else { return ClaimPath([try node.string()]) }
        var names: [String] = []
        for name in try node.list() { names.append(try name.string()) }
        guard !names.isEmpty else { throw node.error("must contain at least one name, such as [realm_access, roles]") }
        return ClaimPath(names)
    }
}
