import Cryptography
import DataFormats
import HTTPClient
import Text

extension TokenIssuerConfiguration {
    /// Reads a required key that the preset may imply. Mistakes are collected. An unknown preset may imply any value,
    /// so a missing key is then not a mistake.
    static func value<Value>(
        _ key: String, implied: Value?, in keys: ConfigurationMapping, _ preset: TokenIssuerPreset?,
        _ body: (ConfigurationNode) throws -> Value
    ) -> Value? {
        let isPresetUnknown = preset == nil && keys["preset"] != nil
        if keys[key] == nil, implied != nil || isPresetUnknown { return implied }
        return keys.required(key, body)
    }

    static func audiences(_ node: ConfigurationNode) throws(ConfigurationError) -> [[UInt8]] {
        guard node.isList else { return [Array(try node.string().utf8)] }
        if try node.list().isEmpty { throw node.error("must name at least one audience") }
        return try node.each { Array(try $0.string().utf8) }
    }

    /// Reads `authorizedParties` or `clientIDs`.
    static func clients(_ node: ConfigurationNode) throws(ConfigurationError) -> [[UInt8]] {
        if try node.list().isEmpty { throw node.error("must name at least one client") }
        return try node.each { Array(try $0.string().utf8) }
    }

    /// - Parameter source: The keys that the algorithms need; nil if they are not known.
    static func algorithms(
        _ node: ConfigurationNode, _ source: Keys?
    ) throws(ConfigurationError) -> [SignatureAlgorithm] {
        if try node.list().isEmpty { throw node.error("must name at least one algorithm, such as RS256") }
        return try node.each { node in
            let algorithm = try node.choice(SignatureAlgorithm.self)
            if let source, (algorithm.keyKind == .secret) != source.isSecret {
                let name = algorithm.rawValue
                throw node.error(
                    source.isSecret
                        ? "is \(name), which needs public keys; `secretFile` is for HS256, HS384 and HS512"
                        : "is \(name), which needs `secretFile`: with a public key as the secret, anyone could sign tokens"
                )
            }
            return algorithm
        }
    }
}

extension TokenIssuerConfiguration.Claims {
    init(_ preset: TokenIssuerPreset?) {
        identity = ClaimPath([preset?.identity ?? "sub"])
        groups = preset?.groups.map { ClaimPath($0) }
    }

    /// Reads the section `claims`, which overrides the preset.
    mutating func read(_ node: ConfigurationNode) throws(ConfigurationError) {
        for member in try node.members() {
            let path = node.mistakes.collect(at: member.value, Self.path)
            switch member.key {
            case "identity": identity = path ?? identity
            case "groups": groups = path ?? groups
            default:
                // The same characters as NAME in the template {claim.NAME}.
                if !APIKey.isValidID(member.key.utf8) {
                    node.mistakes.add(
                        ConfigurationError(
                            member.keyPosition,
                            "the claim name \(member.key.quoted) must be 1 to 64 characters A-Z a-z 0-9 . _ -, and not . or "
                                + "..; put the name of the token's claim into its value"))
                }
                if let path { others.append((Array(member.key.utf8), path)) }
            }
        }
    }

    /// A string is the name of a top-level claim, with any characters. A list is a path into nested objects.
    private static func path(_ node: ConfigurationNode) throws(ConfigurationError) -> ClaimPath {
        guard node.isList else { return ClaimPath([try node.string()]) }
        if try node.list().isEmpty {
            throw node.error("must contain at least one name, such as [realm_access, roles]")
        }
        return ClaimPath(try node.each { try $0.string() })
    }
}
