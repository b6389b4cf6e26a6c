import DataFormats
import HTTPClient

/// The settings that decide who issues the tokens and where the keys come from.
extension TokenIssuerConfiguration {
    /// Reads `issuer`, or derives it from `tenant` or the preset. Mistakes are collected.
    static func issuer(
        _ keys: ConfigurationMapping, _ node: ConfigurationNode, _ preset: TokenIssuerPreset?
    ) -> String? {
        guard keys["tenant"] != nil else {
            return value("issuer", implied: preset?.issuer, in: keys, preset) { try issuer($0, preset) }
        }
        if keys["issuer"] != nil {
            node.mistakes.add(
                node.error("has `tenant` and `issuer`; keep one, the preset derives `issuer` from `tenant`"))
        }
        return keys.value("tenant") { node throws(ConfigurationError) in
            let tenant = try node.string()
            guard let rule = preset?.tenant else {
                throw node.error(
                    preset == nil
                        ? "needs a `preset` that derives the issuer from it; set `issuer` instead"
                        : "is not known for the preset `\(preset?.rawValue ?? "")`; set `issuer` instead")
            }
            guard let issuer = rule.issuer(tenant) else {
                throw node.error(
                    "must be as in `\(rule.example)`; for other issuers of this provider set `issuer` instead")
            }
            return issuer
        }
    }

    private static func issuer(
        _ node: ConfigurationNode, _ preset: TokenIssuerPreset?
    ) throws(ConfigurationError) -> String {
        let issuer = try node.string()
        // `iss` is compared byte by byte.
        if let name = preset?.nameWithSlashedIssuer, issuer.utf8.last != UInt8(ascii: "/") {
            throw node.error("must end in \"/\", as \(name)'s `iss` does; add it")
        }
        return issuer
    }

    /// Reads the only one of the keys that say where the keys are, or takes the preset's URL. Mistakes are collected.
    static func keys(
        _ keys: ConfigurationMapping, _ node: ConfigurationNode, _ preset: TokenIssuerPreset?, _ issuer: String?
    ) -> Keys? {
        let kinds = ["jwks", "discovery", "pem", "certificates", "secretFile"]
        let isDiscovered = keys.value("discovery") { try $0.boolean() } ?? false
        let present = kinds.filter { keys[$0] != nil && ($0 != "discovery" || isDiscovered) }
        guard let key = present.first, present.count == 1 else {
            // Without a key that says where they are, an unknown or incomplete preset may be the mistake.
            if present.isEmpty, keys["preset"] != nil {
                guard let preset, let issuer else { return nil }
                let url = preset.keySet.flatMap { RemoteKeySource.url($0(issuer)) }
                return url.map { .url($0, isDiscovery: false) } ?? discovery(of: issuer, keys["issuer"] ?? node)
            }
            if !present.isEmpty || !kinds.contains(where: { keys.isMisspelled($0) }) {
                node.mistakes.add(
                    node.error(
                        "needs exactly one of `jwks`, `discovery`, `pem`, `certificates` and `secretFile`, but has"
                            + " \(present.count)"))
            }
            return nil
        }
        guard let format = Keys.Format(rawValue: key) else {
            return issuer.flatMap { discovery(of: $0, keys["issuer"] ?? node) }
        }
        return keys.value(key) { try location(format, $0) }
    }

    private static func discovery(of issuer: String, _ node: ConfigurationNode) -> Keys? {
        if let url = RemoteKeySource.discoveryURL(of: issuer) { return .url(url, isDiscovery: true) }
        node.mistakes.add(
            node.error("must be an https URL, because the keys are found by it; or set `jwks` to a file or a URL"))
        return nil
    }

    private static func location(
        _ format: Keys.Format, _ node: ConfigurationNode
    ) throws(ConfigurationError) -> Keys {
        let text = try node.string()
        let isURL = text.utf8.starts(with: "https:".utf8) || text.utf8.starts(with: "http:".utf8)
        guard isURL else { return .file(format, path: text) }
        guard format == .keySet else { throw node.error("must be a file; only `jwks` can be a URL") }
        guard let url = RemoteKeySource.url(text) else {
            throw node.error("must be a file or a URL with https; http is allowed only for localhost")
        }
        return .url(url, isDiscovery: false)
    }

    /// Reads `maxStale` in seconds. Mistakes are collected.
    static func maxStale(_ keys: ConfigurationMapping, _ source: Keys?) -> Int {
        keys.value("maxStale") { node throws(ConfigurationError) in
            if source?.file != nil {
                throw node.error("is for keys that are fetched; a file is reloaded when it changes")
            }
            return try node.seconds(in: 3600...2_592_000)
        } ?? 86_400
    }
}
