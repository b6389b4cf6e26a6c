package import Cryptography
package import DataFormats
package import Presigning
package import Requests
import Text

/// The section `auth`: the accepted ways to authenticate.
package struct AuthenticationConfiguration: Sendable {
    /// Whether requests without credentials are accepted, as the caller `guest`.
    package var allowsGuests = false
    /// The accepted API keys, one entry per id.
    package var apiKeys: [APIKeyEntry] = []
    /// The issuers whose tokens are accepted.
    package private(set) var issuers: [TokenIssuerConfiguration] = []

    /// The trusted proxy, if any.
    package private(set) var proxy: ProxyConfiguration?

    /// How client certificates identify callers; nil if they do not.
    package private(set) var certificates: ClientCertificateConfiguration?

    /// Whether any caller can be authenticated or is accepted as a guest.
    package var admitsCallers: Bool {
        allowsGuests || !apiKeys.isEmpty || !issuers.isEmpty || proxy?.identity != nil || certificates != nil
    }

    /// Whether every caller sends an API key or a token itself: neither guests nor proxies nor certificates are accepted.
    package var needsSentCredentials: Bool {
        !allowsGuests && proxy?.identity == nil && tokenHeaders.isEmpty && certificates == nil
    }

    /// The paths of the key and secret files. A change of their content is a change of the configuration.
    package var files: [String] { (issuers.map(\.keys.file) + [proxy?.secretFile]).compactMap { $0 } }

    /// Where issuers' keys are fetched.
    package var keySources: Set<RemoteKeySource> { Set(issuers.compactMap(\.keySource)) }

    /// The headers in which proxies send tokens, each once, in lower case.
    package var tokenHeaders: [[UInt8]] {
        issuers.compactMap(\.header).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The names of the headers that decide who calls, comma-separated. A proxy decides by the session's cookie, which
    /// is the header that a browser's cache can compare.
    var decidingHeaders: String {
        let proxied = ([proxy?.identity, proxy?.groups].compactMap(\.self) + tokenHeaders).map {
            String(decoding: $0, as: UTF8.self)
        }
        return (["Authorization", "X-API-Key"] + (proxied.isEmpty ? [] : ["Cookie"]) + proxied).joined(separator: ", ")
    }

    /// The headers from which a proxy's caller, its secret or the client's address is read, in lower case.
    package var callerHeaders: [[UInt8]] { proxyHeaders + tokenHeaders }

    private var proxyHeaders: [[UInt8]] {
        [proxy?.identity, proxy?.groups, proxy?.secretHeader, proxy?.clientAddress].compactMap(\.self)
    }

    /// Accepts no callers.
    package init() {}

    /// Accepts an additional API key.
    package mutating func admit(id: String, key: String) {
        apiKeys.append(APIKeyEntry(id: id, digests: [SHA256.hash(Array(key.utf8))]))
    }

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["guest", "apiKeys", "jwt", "proxy", "mtls"])
        keys.read("guest", into: &allowsGuests) { try $0.boolean() }
        keys.read("apiKeys", into: &apiKeys, Self.apiKeys)
        keys.read("proxy", into: &proxy, ProxyConfiguration.init)
        keys.read("mtls", into: &certificates, ClientCertificateConfiguration.init)
        keys.read("jwt", into: &issuers, TokenIssuerConfiguration.list)
        if let node = keys["jwt"], let header = tokenHeaders.first(where: proxyHeaders.contains) {
            let name = String(decoding: header, as: UTF8.self)
            throw node.error("has the `header` `\(name)`, which `auth.proxy` reads too; remove it from one of them")
        }
    }

    private static func apiKeys(_ node: ConfigurationNode) throws(ConfigurationError) -> [APIKeyEntry] {
        var ids: Set<[UInt8]> = []
        return try node.each { node in
            let entry = try APIKeyEntry(node)
            guard ids.insert(Array(entry.id.utf8)).inserted else {
                throw node.error("has the duplicate id \(entry.id.quoted); list all hashes of one id in one entry")
            }
            return entry
        }
    }
}

extension AuthenticationConfiguration {
    /// A line for each issuer, and one for a proxy that sends groups.
    package var summary: [String] {
        let issuers = issuers.map { issuer in
            let bindings = [
                ("audience", issuer.audiences), ("authorized parties", issuer.authorizedParties),
                ("client ids", issuer.clientIDs),
            ].filter { !$1.isEmpty }.map { "\($0) \(Self.names($1))" }
            let header = issuer.header.map { "header \(String(decoding: $0, as: UTF8.self))" }
            let separator = issuer.separator.map { "groups separated by \(Self.quoted($0))" }
            return "issuer \(issuer.name): "
                + (bindings + [header, separator].compactMap(\.self)).joined(separator: "; ")
        }
        let proxy = proxy.flatMap { proxy in
            proxy.groups.map { name in
                "proxy: groups in \(String(decoding: name, as: UTF8.self)), separated by \(Self.quoted(proxy.separator))"
            }
        }
        return issuers + [proxy].compactMap(\.self)
    }

    private static func names(_ texts: [[UInt8]]) -> String {
        texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ", ")
    }

    private static func quoted(_ separator: UInt8) -> String { "\"\(Character(Unicode.Scalar(separator)))\"" }
}

/// An entry of `auth.apiKeys`: the valid digests of an id, and the caller they authenticate.
package final class APIKeyEntry: Sendable {
    /// The unique public id in the keys.
    package let id: String
    /// The SHA-256 digests of whole keys; more than one during rotation.
    package let digests: [SHA256Digest]
    /// The time from which the keys are refused; nil if they do not expire.
    package let notAfter: SigningTime?
    /// Whether the keys are refused.
    package let isDisabled: Bool
    /// The caller that a valid key authenticates.
    package let caller: Caller
    /// A warning for each hash that is still the placeholder of the sample files.
    package let warnings: [ConfigurationError]

    package init(id: String, digests: [SHA256Digest]) {
        self.id = id
        self.digests = digests
        notAfter = nil
        isDisabled = false
        caller = Caller(apiKeyID: id, identity: id, groups: [])
        warnings = []
    }

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["id", "hashes", "notAfter", "identity", "groups", "disabled"])
        let hashes = keys.required("hashes", Self.hashes) ?? []
        notAfter = keys.value("notAfter", Self.time)
        isDisabled = keys.value("disabled") { try $0.boolean() } ?? false
        let groups = keys.value("groups") { try $0.each { try $0.string() } } ?? []
        let identity = keys.value("identity", Self.identity)
        guard let id = keys.required("id", APIKey.readID) else { throw keys.incomplete }
        self.id = id
        digests = hashes.map(\.digest)
        warnings = hashes.filter { $0.digest.bytes.allSatisfy { $0 == 0 } }.map {
            $0.node.error("is a placeholder, so no key matches it; run `presign key new \(id)` and put its hash here")
        }
        caller = Caller(apiKeyID: id, identity: identity ?? id, groups: groups)
    }

    private static func identity(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let identity = try node.string()
        guard Caller.isSafeIdentity(Array(identity.utf8)) else {
            throw node.error(
                "must be a single path segment, to match `{identity}`: without slashes, backslashes or control "
                    + "characters, and not `.` or `..`, even percent-encoded")
        }
        return identity
    }

    private static func hashes(
        _ node: ConfigurationNode
    ) throws(ConfigurationError) -> [(node: ConfigurationNode, digest: SHA256Digest)] {
        if try node.list().isEmpty {
            throw node.error("must contain at least one hash; run `presign key new` and use the hash it prints")
        }
        return try node.each { hash in
            // The message does not repeat the value, because it may be the key instead of its hash.
            guard let digest = APIKey.digest(stored: try hash.string()) else {
                throw hash.error(
                    "must be sha256: and 64 hexadecimal digits; run `presign key new` and use the hash it prints")
            }
            return (hash, digest)
        }
    }

    private static func time(_ node: ConfigurationNode) throws(ConfigurationError) -> SigningTime {
        guard let time = SigningTime(rfc3339: try node.string()) else {
            throw node.error("must be an RFC 3339 time such as 2027-06-30T00:00:00Z")
        }
        return time
    }
}
