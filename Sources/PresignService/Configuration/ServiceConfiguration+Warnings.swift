import AccessRules
import CallerAuthentication
package import ConfigurationReading
import StorageCredentials

extension ServiceConfiguration {
    /// Settings that are valid but probably unintended, each with its position in the file.
    package var warnings: [ConfigurationError] {
        var warnings =
            policyWarnings + stores.flatMap(\.warnings) + stores.compactMap(unsignedHeaders) + unboundUploadIDs
            + authentication.apiKeys.flatMap(\.warnings)
        // The embedded storage does not restrict the names.
        if local == nil { warnings += stores.flatMap(\.nameWarnings) }
        if let warning = tls?.warning(listening: server) { warnings.append(warning) }
        if policy.rules.isEmpty {
            warnings.append(
                ConfigurationError(rulesPosition, "every request is refused: there are no rules; add `rules`"))
        }
        // With the embedded storage an API key is generated if there are no callers.
        guard hasCallers || local != nil else {
            let message =
                "every request is refused: no caller can authenticate, and guests are not allowed; add callers to `auth`"
            return warnings + [ConfigurationError(callersPosition, message)]
        }
        return warnings + policy.rules.flatMap(unfilledPlaceholders) + openWrites + unlimitedCallers
    }

    /// Returns warnings for placeholders that no caller can have a value for, so their rules match no caller.
    private func unfilledPlaceholders(of rule: AccessRule) -> [ConfigurationError] {
        rule.template.placeholders.filter { !authentication.fills($0) && ($0 != .identity || local == nil) }.map {
            placeholder in
            let reason =
                switch placeholder {
                case .identity: "no caller has an identity"
                case .group: "no API key, issuer or proxy sets groups"
                case .claim(let name):
                    "no issuer lists the claim `\(String(decoding: name, as: UTF8.self))` under `claims`"
                        + Suggestion.text(for: String(decoding: name, as: UTF8.self), among: authentication.claimNames)
                }
            return ConfigurationError(
                rule.reference.position,
                "`\(rule.reference.pattern)` has a placeholder that no caller can fill: \(reason)")
        }
    }
}

extension AuthenticationConfiguration {
    /// Whether a caller can have a value for a placeholder.
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
