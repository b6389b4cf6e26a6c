package import AccessRules
package import ConfigurationReading
package import Cryptography
package import Presigning

/// Who may call: guests, the holders of API keys, and those of tokens.
package struct AuthenticationConfiguration: Sendable {
    /// True: a request without any credentials is the caller `guest`.
    package var allowsGuests = false
    /// The keys that are accepted, one entry for an id.
    package var apiKeys: [APIKeyEntry] = []
    /// Whose tokens are accepted.
    package private(set) var issuers: [TokenIssuerConfiguration] = []

    /// The proxy whose headers are believed.
    package private(set) var proxy: ProxyConfiguration?

    /// What clients' certificates say about who calls; nil: nothing.
    package private(set) var certificates: ClientCertificateConfiguration?

    /// True when anybody can call.
    package var letsSomebodyIn: Bool {
        allowsGuests || !apiKeys.isEmpty || !issuers.isEmpty || proxy?.identity != nil || certificates != nil
    }

    /// The files it names, whose content belongs to it.
    package var files: [String] { issuers.map(\.keys.file) + [proxy?.secretFile].compactMap { $0 } }

    /// Nobody may call.
    package init() {}

    /// Lets the holder of one more key in.
    package mutating func admit(id: String, digest: SHA256Digest) {
        apiKeys.append(APIKeyEntry(id: id, digests: [digest]))
    }

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["guest", "apiKeys", "jwt", "proxy", "mtls"])
        keys.read("guest", into: &allowsGuests) { try $0.boolean() }
        keys.read("apiKeys", into: &apiKeys, Self.apiKeys)
        keys.read("proxy", into: &proxy, ProxyConfiguration.init)
        keys.read("mtls", into: &certificates, ClientCertificateConfiguration.init)
        keys.read("jwt", into: &issuers, TokenIssuerConfiguration.list)
    }

    private static func apiKeys(_ node: ConfigurationNode) throws(ConfigurationError) -> [APIKeyEntry] {
        var ids: Set<[UInt8]> = []
        return try node.each { node in
            let entry = try APIKeyEntry(node)
            guard ids.insert(Array(entry.id.utf8)).inserted else {
                throw node.error("repeats the id \"\(entry.id)\"; one entry may have several hashes")
            }
            return entry
        }
    }
}

/// One API key's entry: the digests that are valid for an id, and who their holder is.
package final class APIKeyEntry: Sendable {
    /// The public part of the keys, unique.
    package let id: String
    /// SHA-256 digests of whole keys; more than one while keys are rotated.
    package let digests: [SHA256Digest]
    /// The moment from which the keys are refused.
    package let notAfter: SigningTime?
    /// True: the keys are refused.
    package let isDisabled: Bool
    /// Whom a valid key stands for.
    package let caller: Caller
    /// One for each hash that is still the placeholder of the sample files.
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
        let idNode = try keys.required("id")
        id = try idNode.string()
        guard APIKey.isValidID(id.utf8) else {
            throw idNode.error("must be 1 to 64 of A-Z a-z 0-9 . _ -, and not . or ..")
        }
        let hashes = try keys.required("hashes")
        digests = try Self.digests(hashes)
        let placeholders = zip(try hashes.list(), digests).filter { $0.1.bytes.allSatisfy { $0 == 0 } }
        warnings = placeholders.map { [id] in
            $0.0.error("is a placeholder, so no key matches it; run `presign key new \(id)` and put its hash here")
        }
        notAfter = keys.value("notAfter", Self.time)
        isDisabled = keys.value("disabled") { try $0.boolean() } ?? false
        var groups: [String] = []
        for group in try keys["groups"]?.list() ?? [] { groups.append(try group.string()) }
        let identity = try keys["identity"]?.string() ?? id
        if let node = keys["identity"], !Caller.isSafeIdentity(Array(identity.utf8)) {
            throw node.error(
                "must be one segment of a path, without slashes and not `..`: nothing else can be `{identity}`")
        }
        caller = Caller(apiKeyID: id, identity: identity, groups: groups)
    }

    private static func digests(_ node: ConfigurationNode) throws(ConfigurationError) -> [SHA256Digest] {
        var digests: [SHA256Digest] = []
        for hash in try node.list() {
            // The text itself is never repeated: somebody may have put the key where its hash belongs.
            guard let digest = APIKey.digest(stored: try hash.string()) else {
                throw hash.error("must be sha256: and 64 hexadecimal digits, as `presign key new` prints it")
            }
            digests.append(digest)
        }
        guard !digests.isEmpty else { throw node.error("must hold at least one hash") }
        return digests
    }

    private static func time(_ node: ConfigurationNode) throws(ConfigurationError) -> SigningTime {
        guard let time = SigningTime(rfc3339: try node.string()) else {
            throw node.error("must be an RFC 3339 time such as 2027-06-30T00:00:00Z")
        }
        return time
    }
}
