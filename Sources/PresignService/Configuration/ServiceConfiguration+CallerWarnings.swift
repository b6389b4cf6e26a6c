import AccessRules
import CallerAuthentication
import ConfigurationReading

/// Warnings about callers that the operator does not know.
extension ServiceConfiguration {
    /// A warning for each grant with which guests can write or delete every object that no other rule decides.
    var openWrites: [ConfigurationError] {
        guard authentication.allowsGuests else { return [] }
        return policy.openWrites.map { grantee, actions in
            ConfigurationError(
                grantee.position,
                "`\(grantee.text)` in `**` includes guests (`auth.guest`), so any client is granted \(actions.names) for"
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

extension AuthenticationConfiguration {
    /// Whether tokens, a proxy or client certificates can authenticate any number of callers.
    fileprivate var admitsUnlistedCallers: Bool {
        !issuers.isEmpty || proxy?.identity != nil || certificates != nil
    }
}
