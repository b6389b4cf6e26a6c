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
            self.init(name: Array(name.utf8), value: Array(value.utf8))
        }

        package init(name: [UInt8], value: [UInt8]) {
            self.name = name
            self.value = value
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
    /// The token it came with.
    package let token: Token?
    /// Its name in the log.
    package let label: [UInt8]
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
        self.init(
            scheme, identity.map { Array($0.utf8) }, groups.map { Array($0.utf8) }, claims, apiKeyID: nil, token: nil,
            isGuest)
    }

    /// The holder of an API key.
    ///
    /// - Parameters:
    ///   - apiKeyID: the key's id, which is public
    ///   - identity: the identity configured for it, if any
    ///   - groups: the groups configured for it
    package convenience init(apiKeyID: String, identity: String?, groups: [String] = []) {
        self.init(
            .apiKey, identity.map { Array($0.utf8) }, groups.map { Array($0.utf8) }, [],
            apiKeyID: Array(apiKeyID.utf8), token: nil, false)
    }

    /// The holder of a verified token.
    package convenience init(token: Token, identity: [UInt8]?, groups: [[UInt8]], claims: [Claim], isGuest: Bool) {
        self.init(.jwt, identity, groups, claims, apiKeyID: nil, token: token, isGuest)
    }

    /// Whom a trusted proxy speaks for.
    package convenience init(proxied identity: [UInt8], groups: [[UInt8]]) {
        self.init(.proxy, identity, groups, [], apiKeyID: nil, token: nil, false)
    }

    /// The holder of a verified certificate.
    package convenience init(certificate name: [UInt8]) {
        self.init(.mutualTLS, name, [], [], apiKeyID: nil, token: nil, false)
    }

    private init(
        _ scheme: Scheme, _ identity: [UInt8]?, _ groups: [[UInt8]], _ claims: [Claim], apiKeyID: [UInt8]?,
        token: Token?, _ isGuest: Bool
    ) {
        self.scheme = scheme
        self.identity = identity
        self.groups = groups
        self.claims = claims
        self.apiKeyID = apiKeyID
        self.token = token
        self.isGuest = isGuest
        label = Self.label(scheme, identity, apiKeyID: apiKeyID, token, isGuest)
    }

    private static func label(
        _ scheme: Scheme, _ identity: [UInt8]?, apiKeyID: [UInt8]?, _ token: Token?, _ isGuest: Bool
    ) -> [UInt8] {
        if let apiKeyID { return Array("apikey:".utf8) + apiKeyID }
        if scheme == .proxy { return Array("proxy:".utf8) + (identity ?? []).prefix(longestName) }
        if scheme == .mutualTLS { return Array("mtls:".utf8) + (identity ?? []).prefix(longestName) }
        guard let token else { return Array((isGuest ? "guest" : "\(scheme)").utf8) }
        let name = identity ?? token.subject ?? []
        return Array("jwt:\(token.issuerName):".utf8) + name.prefix(longestName)
    }

    /// Whether an identity can be one segment of a path: what cannot never matches `{identity}`.
    package static func isSafeIdentity(_ text: [UInt8]) -> Bool {
        !text.contains(UInt8(ascii: "/")) && ObjectKeyCheck.refusal(of: text) == nil
    }

    /// Bytes of an identity that a label shows.
    private static let longestName = 128

    /// Who was found, by whatever way; the label follows from it.
    package static func == (left: Caller, right: Caller) -> Bool {
        left === right
            || (left.scheme == right.scheme && left.identity == right.identity && left.groups == right.groups
                && left.claims == right.claims && left.apiKeyID == right.apiKeyID && left.token == right.token
                && left.isGuest == right.isGuest)
    }
}
