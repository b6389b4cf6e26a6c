import Text

/// The authenticated caller of a request. Values are bytes: they are only compared, never inserted into a pattern.
package final class Caller: Sendable, Equatable {
    /// How the caller was authenticated.
    package enum Scheme: String, Sendable {
        case guest, apiKey, jwt, mutualTLS, proxy
    }

    /// A claim: a string, a whole number, or `true` or `false` as text. Others cannot match a path segment and are omitted.
    package struct Claim: Sendable, Equatable {
        /// The NAME in `{claim.NAME}`.
        package let name: [UInt8]
        package let value: [UInt8]

        /// - Parameters:
        ///   - name: The NAME in `{claim.NAME}`.
        ///   - value: The value.
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
    /// The value that `{identity}` matches.
    package let identity: [UInt8]?
    /// The values that `{group}` and `group:NAME` match.
    package let groups: [[UInt8]]
    /// The groups in bytewise order: a token can have thousands, and a decision compares them with many names.
    private let sortedGroups: [[UInt8]]
    /// The claims whose values `{claim.NAME}` matches.
    package let claims: [Claim]
    /// The id that `caller:ID` matches.
    package let apiKeyID: [UInt8]?
    /// The verified token, if the caller sent one.
    package let token: Token?
    /// The caller's name in the log, such as `caller:ID` or `jwt:ISSUER:IDENTITY`.
    package let label: [UInt8]
    /// Whether the caller sent no credentials, or a token of an anonymous user.
    package let isGuest: Bool
    /// What the caller's credentials have that is not used, each with the reason, for the log.
    package let ignored: [String]

    /// The caller of a request without credentials.
    package static let guest = Caller(scheme: .guest, identity: nil, isGuest: true)

    /// - Parameters:
    ///   - scheme: How the caller was authenticated.
    ///   - identity: The value that `{identity}` matches, if any.
    ///   - groups: The caller's groups.
    ///   - claims: The claims that can match a path segment.
    ///   - isGuest: True for tokens of anonymous users.
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
    ///   - apiKeyID: The key's id, which is public.
    ///   - identity: The configured identity, if any.
    ///   - groups: The configured groups.
    package convenience init(apiKeyID: String, identity: String?, groups: [String] = []) {
        self.init(
            .apiKey, identity.map { Array($0.utf8) }, groups.map { Array($0.utf8) }, [],
            apiKeyID: Array(apiKeyID.utf8), token: nil, false)
    }

    /// The holder of a verified token.
    package convenience init(
        token: Token, identity: [UInt8]?, groups: [[UInt8]], claims: [Claim], isGuest: Bool, ignored: [String] = []
    ) {
        self.init(.jwt, identity, groups, claims, apiKeyID: nil, token: token, isGuest, ignored)
    }

    /// The caller of a request without credentials that are read.
    package convenience init(guestIgnoring ignored: [String]) {
        self.init(.guest, nil, [], [], apiKeyID: nil, token: nil, true, ignored)
    }

    /// The user that a trusted proxy has authenticated.
    package convenience init(proxied identity: [UInt8], groups: [[UInt8]], ignored: [String] = []) {
        self.init(.proxy, identity, groups, [], apiKeyID: nil, token: nil, false, ignored)
    }

    /// The holder of a verified client certificate.
    package convenience init(certificate name: [UInt8]) {
        self.init(.mutualTLS, name, [], [], apiKeyID: nil, token: nil, false)
    }

    private init(
        _ scheme: Scheme, _ identity: [UInt8]?, _ groups: [[UInt8]], _ claims: [Claim], apiKeyID: [UInt8]?,
        token: Token?, _ isGuest: Bool, _ ignored: [String] = []
    ) {
        self.scheme = scheme
        self.ignored = ignored
        self.identity = identity
        self.groups = groups
        sortedGroups = groups.sorted { $1.span.follows($0) }
        self.claims = claims
        self.apiKeyID = apiKeyID
        self.token = token
        self.isGuest = isGuest
        label = Self.label(scheme, identity, apiKeyID: apiKeyID, token, isGuest)
    }

    private static func label(
        _ scheme: Scheme, _ identity: [UInt8]?, apiKeyID: [UInt8]?, _ token: Token?, _ isGuest: Bool
    ) -> [UInt8] {
        if let apiKeyID { return Array("caller:".utf8) + apiKeyID }
        if scheme == .proxy { return Array("proxy:".utf8) + (identity ?? []).prefix(labelIdentityLength) }
        if scheme == .mutualTLS { return Array("certificate:".utf8) + (identity ?? []).prefix(labelIdentityLength) }
        guard let token else { return Array((isGuest ? "guest" : "\(scheme)").utf8) }
        let name = identity ?? token.subject ?? []
        return Array("jwt:\(token.issuerName):".utf8) + name.prefix(labelIdentityLength)
    }

    /// Whether the caller is in the group with this name, compared as bytes.
    package func isMember(of group: Span<UInt8>) -> Bool {
        var (low, high) = (0, sortedGroups.count)
        while low < high {
            let middle = (low + high) / 2
            if group.follows(sortedGroups[middle]) { low = middle + 1 } else { high = middle }
        }
        return low < sortedGroups.count && group.equals(sortedGroups[low])
    }

    /// Whether an identity is a valid path segment. One that is not can never match `{identity}`.
    package static func isSafeIdentity(_ text: [UInt8]) -> Bool {
        !text.contains(UInt8(ascii: "/")) && ObjectKeyCheck.refusal(of: text) == nil
    }

    /// The longest identity in a label, in bytes. Longer ones are truncated.
    private static let labelIdentityLength = 128

    package static func == (left: Caller, right: Caller) -> Bool {
        left === right
            || (left.scheme == right.scheme && left.identity == right.identity && left.groups == right.groups
                && left.claims == right.claims && left.apiKeyID == right.apiKeyID && left.token == right.token
                && left.isGuest == right.isGuest)
    }
}

extension Caller {
    /// A verified token, for the audit log. Decisions use the caller's identity, groups and claims instead.
    package struct Token: Sendable, Equatable {
        /// The name of the issuer's entry in the configuration.
        package let issuerName: String
        /// Its `iss`.
        package let issuer: [UInt8]
        /// Its `sub`, if that is a string.
        package let subject: [UInt8]?
        /// The `kid` of its header.
        package let keyID: [UInt8]?
        /// Its `jti`, if that is a string.
        package let tokenID: [UInt8]?
        /// Its `exp`, in seconds since 1970.
        package let expiry: Int64

        package init(
            issuerName: String, issuer: [UInt8], subject: [UInt8]?, keyID: [UInt8]?, tokenID: [UInt8]?, expiry: Int64
        ) {
            self.issuerName = issuerName
            self.issuer = issuer
            self.subject = subject
            self.keyID = keyID
            self.tokenID = tokenID
            self.expiry = expiry
        }
    }

    /// The approximate memory use in bytes.
    package var footprint: Int {
        let texts = [identity, token?.subject, token?.keyID, token?.tokenID].compactMap { $0?.count }
        let sizes =
            texts + ignored.map(\.utf8.count) + groups.map(\.count) + claims.map { $0.name.count + $0.value.count }
        // 64 bytes per array for its header and the allocator's overhead, and 8 per group for the sorted ones.
        return 256 + sizes.reduce(0, +) + 64 * (sizes.count + claims.count) + 8 * groups.count
    }
}
