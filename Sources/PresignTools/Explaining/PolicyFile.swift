package import AccessRules
package import CallerAuthentication
package import ConfigurationReading
import PresignService

/// The rules of a file, for whoever explains and tests them: a whole configuration, or one with rules only.
///
/// A file without `version` is one with rules only: `rules`, `deny`, `presets`, `groups`, and if wanted `expires` and
/// `stores`, as a list of names or as in a configuration. Without `stores` every store that a rule names is there,
/// besides the default one.
package struct PolicyFile: Sendable {
    /// The default store of a file that does not name its stores; no name of a configured store has parentheses.
    static let unnamedStore = "(default)"

    /// The rules.
    package let policy: AccessPolicy
    /// Who may call; nil where the file has rules only.
    package let authentication: AuthenticationConfiguration?

    /// The names of the stores there are.
    package var storeNames: [String] { policy.stores.map(\.name).filter { $0 != Self.unnamedStore } }

    /// Reads the file's bytes.
    ///
    /// - Parameters:
    ///   - yaml: the file's content, UTF-8.
    ///   - file: its name, for positions.
    /// - Throws: `ConfigurationError` with line and column for the first mistake, and all others in its `further`.
    package init(parsing yaml: [UInt8], file: String) throws(ConfigurationError) {
        self = try ConfigurationNode.read(yaml, file: file) { root in
            let isWhole = try root.members().contains { $0.key.utf8.elementsEqual("version".utf8) }
            return isWhole
                ? PolicyFile(try ServiceConfiguration(parsing: yaml, file: file)) : try PolicyFile(rules: root)
        }
    }

    private init(_ configuration: ServiceConfiguration) {
        policy = configuration.policy
        var authentication = configuration.authentication
        // `serve --local` makes a key when the configuration has no callers.
        if !configuration.hasCallers {
            authentication.apiKeys.append(APIKeyEntry(id: LocalConfiguration.keyID, digests: []))
        }
        self.authentication = authentication
    }

    private init(rules root: ConfigurationNode) throws(ConfigurationError) {
        let keys = try root.mapping(["rules", "deny", "presets", "groups", "stores", "expires"])
        let stores = try Self.stores(keys)
        policy = try AccessPolicy.compiled(
            rules: keys["rules"], deny: keys["deny"], presets: keys["presets"], groups: keys["groups"],
            stores: stores.names, defaultStore: stores.standard, prefixLengths: stores.prefixLengths,
            expires: keys.value("expires", ExpiryLimits.init) ?? ExpiryLimits()
        ).policy
        authentication = nil
    }

    /// What the rules make of a request.
    ///
    /// The holder of an API key is who the configuration says, unless the request tells. When a key ends is not looked at:
    /// what rules are tested for should not depend on the day.
    package func verdict(on request: AccessRequest) -> RuleVerdict {
        var request = request
        if let authentication {
            if request.caller == .guest, !authentication.allowsGuests { return .noGuests }
            if let id = request.caller.apiKeyID {
                guard let key = authentication.apiKeys.first(where: { $0.id.utf8.elementsEqual(id) }), !key.isDisabled
                else { return .noKey }
                if request.caller.identity == nil, request.caller.groups.isEmpty { request.caller = key.caller }
            }
        }
        if let length = request.contentLength, !PresignFields.possibleLength.contains(length) {
            return .impossibleLength
        }
        return RuleVerdict(policy.decision(for: request), of: request)
    }

    private static func stores(
        _ keys: ConfigurationMapping
    ) throws(ConfigurationError) -> (names: [String], standard: String, prefixLengths: [String: Int]) {
        guard let node = keys["stores"] else {
            let named = try names(in: keys["rules"]) + names(in: keys["deny"])
            return (named.reduce(into: [unnamedStore]) { if !$0.contains($1) { $0.append($1) } }, unnamedStore, [:])
        }
        if node.isList {
            let names = try node.list().map { item throws(ConfigurationError) in try item.string() }
            return ([unnamedStore] + names, unnamedStore, [:])
        }
        let stores = try StoreConfiguration.list(node)
        let standard = stores.first(where: \.isDefault)?.name ?? unnamedStore
        return (try node.members().map(\.key), standard, stores.prefixLengths)
    }

    /// The stores that the items of a list name. What is no such item is left to whoever compiles it.
    private static func names(in list: ConfigurationNode?) throws(ConfigurationError) -> [String] {
        guard let list, list.isList else { return [] }
        var names: [String] = []
        for item in try list.list() where item.isMapping {
            for member in try item.members() where member.key.utf8.elementsEqual("store".utf8) {
                names.append(try member.value.string())
            }
        }
        return names
    }
}
