import AccessRules
import CallerAuthentication
package import ConfigurationReading
import StorageCredentials

extension ServiceConfiguration {
    /// What is allowed but hardly meant, each with its place in the file.
    package var warnings: [ConfigurationError] {
        var warnings =
            policyWarnings + stores.flatMap(\.warnings) + stores.compactMap(unsignedHeaders)
            + authentication.apiKeys.flatMap(\.warnings)
        // With the embedded storage no bucket is at AWS.
        if local == nil { warnings += stores.flatMap(\.nameWarnings) }
        if let warning = tls?.warning(listening: server) { warnings.append(warning) }
        if policy.rules.isEmpty {
            warnings.append(ConfigurationError(rulesPosition, "nothing is allowed: there are no rules"))
        }
        // A local storage makes a key when there is none, for a caller without groups and claims.
        guard hasCallers || local != nil else {
            let message = "nobody can call: there are no API keys, no issuers of tokens, and no guests"
            return warnings + [ConfigurationError(callersPosition, message)]
        }
        return warnings + policy.rules.flatMap(unfilledPlaceholders)
    }

    /// A store whose limits an unsigned header may pass.
    private func unsignedHeaders(at store: StoreConfiguration) -> ConfigurationError? {
        guard local == nil, let position = store.endpointPosition, store.unsignedHeaders == .unknown,
            store.credentials.read == store.credentials.write,
            policy.reliesOnCredentials(inStore: store.name, hasPrefix: !store.prefix.isEmpty)
        else { return nil }
        return ConfigurationError(
            position,
            "the store `\(store.name)`: if its server honours unsigned x-amz-* headers, a caller who may upload can copy "
                + "any object that its credentials can read (x-amz-copy-source), past the rules and their limits; give "
                + "it `credentials: {read: ..., write: ...}`, `write` without s3:GetObject, or, if the server refuses "
                + "such headers, `unsignedHeaders: refused`")
    }

    /// Placeholders that no caller has a value for, whoever it is: their rules are for nobody, or not for whom they seem.
    private func unfilledPlaceholders(of rule: AccessRule) -> [ConfigurationError] {
        rule.template.placeholders.filter { !authentication.fills($0) && ($0 != .identity || local == nil) }.map {
            placeholder in
            let reason =
                switch placeholder {
                case .identity: "no caller has an identity"
                case .group: "no caller has groups: no issuer, API key or proxy gives any"
                case .claim(let name):
                    "no issuer has a claim `\(String(decoding: name, as: UTF8.self))` under `claims`"
                        + Suggestion.text(for: String(decoding: name, as: UTF8.self), among: authentication.claimNames)
                }
            return ConfigurationError(
                rule.reference.position, "`\(rule.reference.pattern)` has a placeholder that is nobody's: \(reason)")
        }
    }
}

extension AuthenticationConfiguration {
    /// Whether a caller may have a value for a placeholder.
    fileprivate func fills(_ placeholder: Placeholder) -> Bool {
        switch placeholder {
        case .identity: !apiKeys.isEmpty || !issuers.isEmpty || proxy?.identity != nil || certificates != nil
        case .group:
            apiKeys.contains { !$0.caller.groups.isEmpty } || issuers.contains { $0.claims.groups != nil }
                || proxy?.groups != nil
        case .claim(let wanted): issuers.contains { $0.claims.others.contains { $0.name == wanted } }
        }
    }

    fileprivate var claimNames: [String] {
        issuers.flatMap { $0.claims.others.map { String(decoding: $0.name, as: UTF8.self) } }
    }
}
