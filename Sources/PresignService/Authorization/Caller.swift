/// Who makes a request, as the authenticator found it. Values are bytes: they are compared, never put into a pattern.
package final class Caller: Sendable, Equatable {
    /// How the caller was authenticated.
    package enum Scheme: String, Sendable {
        case guest, apiKey, jwt, mutualTLS, proxy
    }

    /// A claim with a text as its value; others never match anything and are left out.
    package struct Claim: Sendable, Equatable {
        /// The name that templates use, `{claim.NAME}`.
        package let name: [UInt8]
        /// The value.
        package let value: [UInt8]

        /// - Parameters:
        ///   - name: the name that templates use
        ///   - value: its text
        package init(name: String, value: String) {
            self.name = Array(name.utf8)
            self.value = Array(value.utf8)
        }
    }

    /// How the caller was authenticated.
    package let scheme: Scheme
    /// What `{identity}` is compared with.
    package let identity: [UInt8]?
    /// What `{group}` and `group:NAME` are compared with.
    package let groups: [[UInt8]]
    /// What `{claim.NAME}` is compared with.
    package let claims: [Claim]
    /// What `caller:ID` is compared with.
    package let apiKeyID: [UInt8]?
    /// Its name in the log.
    let label: [UInt8]
    /// A caller without credentials, or one whose token says that it is anonymous.
    package let isGuest: Bool

    /// The caller of a request without credentials.
    package static let guest = Caller(scheme: .guest, identity: nil, isGuest: true)

    /// - Parameters:
    ///   - scheme: how the caller was authenticated
    ///   - identity: its identity, if it has one
    ///   - groups: its groups
    ///   - claims: its claims that are texts
    ///   - isGuest: true for anonymous tokens
    package convenience init(
        scheme: Scheme, identity: String?, groups: [String] = [], claims: [Claim] = [], isGuest: Bool = false
    ) {
        self.init(scheme, identity, groups, claims, apiKeyID: nil, isGuest)
    }

    /// The holder of an API key.
    ///
    /// - Parameters:
    ///   - apiKeyID: the key's id, which is public
    ///   - identity: the identity configured for it, if any
    ///   - groups: the groups configured for it
    package convenience init(apiKeyID: String, identity: String?, groups: [String] = []) {
        self.init(.apiKey, identity, groups, [], apiKeyID: apiKeyID, false)
    }

    private init(
        _ scheme: Scheme, _ identity: String?, _ groups: [String], _ claims: [Claim], apiKeyID: String?, _ isGuest: Bool
    ) {
        self.scheme = scheme
        self.identity = identity.map { Array($0.utf8) }
        self.groups = groups.map { Array($0.utf8) }
        self.claims = claims
        self.apiKeyID = apiKeyID.map { Array($0.utf8) }
        self.isGuest = isGuest
        label = Array((apiKeyID.map { "apikey:\($0)" } ?? (isGuest ? "guest" : "\(scheme)")).utf8)
    }

    /// Who was found, by whatever way; the label follows from it.
    package static func == (left: Caller, right: Caller) -> Bool {
        left === right
            || (left.scheme == right.scheme && left.identity == right.identity && left.groups == right.groups
                && left.claims == right.claims && left.apiKeyID == right.apiKeyID && left.isGuest == right.isGuest)
    }
}
