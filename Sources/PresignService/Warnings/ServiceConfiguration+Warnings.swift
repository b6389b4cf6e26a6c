import AccessRules
import CallerAuthentication
package import DataFormats
import HTTPServer
import Presigning
import Requests
import StorageCredentials
import Text

extension ServiceConfiguration {
    /// Settings that are valid but probably unintended, each with its position in the file.
    package var warnings: [ConfigurationError] {
        var warnings =
            policyWarnings + storageClassWarnings + stores.flatMap(\.warnings) + stores.compactMap(unsignedHeaders)
            + unboundUploadIDs
            + authentication.apiKeys.flatMap(\.warnings) + (pageSignIn?.warnings ?? [])
        // The embedded storage does not restrict the names.
        if local == nil { warnings += stores.flatMap(\.nameWarnings) }
        if let warning = tls?.warning(listening: server) { warnings.append(warning) }
        if let warning = insecureSignIn { warnings.append(warning) }
        warnings += unsentChallenges
        warnings += shareWarnings
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
        return warnings + policy.rules.flatMap(unfilledPlaceholders) + uselessGuestGrants + openWrites
            + unlimitedCallers
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
                    "no issuer lists the claim \(String(decoding: name, as: UTF8.self).quoted) under `claims`"
                        + Suggestion.text(for: String(decoding: name, as: UTF8.self), among: authentication.claimNames)
                }
            return ConfigurationError(
                rule.reference.position,
                "\(rule.reference.pattern.quoted) has a placeholder that no caller can fill: \(reason)")
        }
    }
}

extension ServiceConfiguration {
    /// A warning if the page is served over plain HTTP: providers redirect only to https or localhost.
    private var insecureSignIn: ConfigurationError? {
        guard let signIn = pageSignIn, tls == nil, authentication.proxy == nil,
            let address = server.listen.first(where: Self.isOnNetwork)
        else { return nil }
        return ConfigurationError(
            signIn.position,
            "`page.signIn` needs an https page, or one on localhost, but the service listens on \(address) without TLS; set"
                + " `server.tls`, or name the proxy that has TLS in `auth.proxy`")
    }

    /// A warning for each store whose challenge is not sent to clients on the network, whose password could be read there.
    private var unsentChallenges: [ConfigurationError] {
        guard tls == nil, let address = server.listen.first(where: Self.isOnNetwork) else { return [] }
        return stores.compactMap(\.challengePosition).map { position in
            ConfigurationError(
                position,
                "`challenge: basic` is sent only over TLS and to this machine, but the service listens on \(address)"
                    + " without TLS; set `server.tls`")
        }
    }

    private static func isOnNetwork(_ address: ListenAddress) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        return host != "::1" && !LocalConfiguration.isLoopback(address)
    }
}

/// Warnings about rules for stores at AWS.
extension ServiceConfiguration {
    /// A warning for each storage class that a rule sets and S3 does not have.
    fileprivate var storageClassWarnings: [ConfigurationError] {
        stores.filter { $0.storage == .aws }.compactMap { policy.index(ofStore: $0.name) }.flatMap(policy.rules).flatMap
        { rule in
            Set(rule.grants.flatMap { $0.constraints.set ?? [] }).filter { $0.name == .storageClass }.compactMap {
                StorageClassNames.mistake(in: $0.value)
            }.sorted().map { mistake in
                ConfigurationError(
                    rule.reference.position, "\(rule.reference.pattern.quoted) sets `storageClass`: \(mistake)")
            }
        }
    }
}

/// Warnings about share links.
extension ServiceConfiguration {
    fileprivate var shareWarnings: [ConfigurationError] {
        guard local == nil else { return [] }
        let sharing = policy.rules.first { rule in
            rule.grants.contains { $0.constraints.shareReads ?? 0 > 0 || $0.constraints.shareWrites ?? 0 > 0 }
        }
        if let sharing, shares.keys.isEmpty {
            let message =
                "\(sharing.reference.pattern.quoted) allows share links, but no key seals them; add `shares.keys`"
            return [ConfigurationError(sharing.reference.position, message)]
        }
        guard let position = shares.position, shares.origin == nil, tls == nil else { return [] }
        let message = "share links will begin with http://; set `shares.url`, such as https://files.example.com"
        return [ConfigurationError(position, message)]
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

    /// Whether tokens, a proxy or client certificates can authenticate any number of callers.
    fileprivate var admitsUnlistedCallers: Bool {
        !issuers.isEmpty || proxy?.identity != nil || certificates != nil
    }
}

/// Warnings about callers that the operator does not know.
extension ServiceConfiguration {
    /// A warning for each grant to `guest` while guests are refused.
    private var uselessGuestGrants: [ConfigurationError] {
        guard !authentication.allowsGuests else { return [] }
        return policy.rules.flatMap(\.grants).filter { $0.grantee == .guest }.map {
            ConfigurationError(
                $0.name.position, "the grant to `guest` has no effect: guests are refused; set `auth.guest: true`")
        }
    }

    /// A warning for each grant with which guests can write or delete every object that no other rule decides.
    var openWrites: [ConfigurationError] {
        guard authentication.allowsGuests else { return [] }
        return policy.openWrites.map { grantee, actions in
            ConfigurationError(
                grantee.position,
                "\(grantee.text.quoted) in `**` includes guests (`auth.guest`), so any client is granted \(actions.names) for"
                    + " every object that no other rule covers; grant these actions to `authenticated`, or grant guests"
                    + " a folder such as `inbox/**`")
        }
    }

    /// Warnings about guests, and about callers that the file does not list one by one, without a rate limit.
    var unlimitedCallers: [ConfigurationError] {
        let kinds = [
            ("guests", "perGuest", "60/m", authentication.allowsGuests),
            (
                "callers who are not listed in this file", "perCaller", "{rate: 10/s, burst: 100}",
                authentication.admitsUnlistedCallers
            ),
        ]
        return kinds.filter { $0.3 && limits.absent.contains($0.1) }.map { kind, key, example, _ in
            ConfigurationError(
                callersPosition,
                "\(kind) are accepted without a rate limit; set `limits.\(key)`, such as `\(example)`, or `none` if"
                    + " another component limits requests")
        }
    }
}

/// Warnings about what a signature cannot ensure, unless the configuration declares that the storage does.
extension ServiceConfiguration {
    /// Returns a warning if unsigned headers could bypass the limits of a store's rules.
    func unsignedHeaders(at store: StoreConfiguration) -> ConfigurationError? {
        guard local == nil, let position = store.endpointPosition, store.unsignedHeaders == .unknown,
            store.credentials.read == store.credentials.write,
            policy.reliesOnCredentials(inStore: store.name, hasPrefix: !store.prefix.isEmpty)
        else { return nil }
        return ConfigurationError(
            position,
            "the store \(store.name.quoted): if its server honours unsigned x-amz-* headers, a caller who may upload can copy"
                + " any object that the store's credentials can read (x-amz-copy-source), bypassing the rules and their"
                + " limits; set `credentials: {read: ..., write: ...}` with a `write` that lacks s3:GetObject or, if the"
                + " server refuses such headers (`presign doctor` finds out), set `unsignedHeaders: refused`")
    }

    /// A warning for each server at which a multipart upload could be created under one grant and completed under
    /// another with tighter limits. Stores with the same endpoint count as one server.
    var unboundUploadIDs: [ConfigurationError] {
        guard local == nil else { return [] }
        let undeclared = stores.filter { $0.endpointPosition != nil && $0.uploadIDs == .unknown }
        return Dictionary(grouping: undeclared) { $0.internalBucket.endpoint.options.endpoint }.values
            .compactMap(unboundUploadIDs)
            .sorted { ($0.line, $0.column) < ($1.line, $1.column) }
    }

    private func unboundUploadIDs(at stores: [StoreConfiguration]) -> ConfigurationError? {
        guard let position = stores.first?.endpointPosition, let gap = policy.uploadIDGap(inStores: stores.map(\.name))
        else { return nil }
        let names = stores.map { "`\($0.name)`" }.joined(separator: " and ")
        return ConfigurationError(
            position,
            "the server of \(names): if it accepts the id of a multipart upload at another key, an upload created by the"
                + " grant to \(gap.lax) can be completed by the grant to \(gap.strict), past its \(gap.limits); set"
                + " `uploadIds: bound` if the server refuses that (`presign doctor` finds out), otherwise grant"
                + " `multipart` only with the same limits")
    }
}
