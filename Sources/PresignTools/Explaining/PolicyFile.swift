package import AccessRules
package import DataFormats
import PresignService
import Presigning
package import Requests
import Text

/// The access rules of a file, for `explain` and `test-rules`: a whole configuration, or a file with rules only.
///
/// A file without `version` has rules only: `rules`, `deny`, `presets`, `groups`, and optionally `expires` and
/// `stores`, a list of names or a mapping as in a configuration. Without `stores` the stores are those that the rules
/// name and the default store. Stores without a mapping offer listing.
package struct PolicyFile: Sendable {
    /// The default store of a file without `stores`. Names of configured stores have no parentheses.
    static let unnamedStore = "(default)"

    /// The rules.
    package let policy: AccessPolicy
    /// The whole configuration, which defines API keys; nil if the file has rules only.
    private let configuration: ServiceConfiguration?
    /// The service of each store whose limits are known, by the index of the store.
    private let storages: [KnownProvider?]
    /// Settings of stores and callers that decide nothing here, for `diff-rules`.
    let settings: ComparedSettings

    /// The names of the stores, without an unnamed default store.
    package var storeNames: [String] { policy.stores.map(\.name).filter { $0 != Self.unnamedStore } }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - yaml: the file's content, UTF-8.
    ///   - file: its name, for positions.
    /// - Throws: `ConfigurationError` with line and column of the first error, and all others in `further`.
    package init(parsing yaml: [UInt8], file: String) throws(ConfigurationError) {
        self = try ConfigurationNode.read(yaml, file: file) { root in
            let isWhole = try root.members().contains { $0.key.utf8.elementsEqual("version".utf8) }
            return isWhole
                ? PolicyFile(try ServiceConfiguration(parsing: yaml, file: file), ComparedSettings(JSONValue(root)))
                : try PolicyFile(rules: root)
        }
    }

    private init(_ configuration: ServiceConfiguration, _ settings: ComparedSettings) {
        (policy, self.configuration, self.settings) = (configuration.policy, configuration, settings)
        storages = policy.stores.map { configuration.stores.storages[$0.name] }
    }

    private init(rules root: ConfigurationNode) throws(ConfigurationError) {
        let keys = try root.mapping(["rules", "deny", "presets", "groups", "stores", "expires"])
        var (inputs, storages) = try Self.inputs(keys)
        keys.read("expires", into: &inputs.expires, ExpiryLimits.init)
        policy = try AccessPolicy.compiled(keys, inputs).policy
        self.storages = policy.stores.map { storages[$0.name] }
        settings = ComparedSettings(JSONValue(root))
        configuration = nil
    }

    /// Decides a request.
    ///
    /// The caller of an API key has the identity and groups of the configuration, unless the request has its own. The
    /// expiration of a key is ignored, so that rule tests do not depend on the date.
    package func verdict(on request: PresignRequest) -> RuleVerdict {
        var request = request
        if let refusal = resolve(&request) { return refusal }
        if let length = request.contentLength, !PresignRequest.possibleLength.contains(length) {
            return .impossibleLength
        }
        let store = policy.index(ofStore: request.store)
        return .of(policy.decision(for: request, in: store), on: request, for: store.flatMap { storages[$0] })
    }

    /// Returns what remote signing for Apache Iceberg does with an allowed request, as a line of an explanation; nil if the
    /// store does not offer it.
    package func remoteLine(for request: PresignRequest) -> String? {
        let store = configuration?.stores.first {
            request.store?.utf8.elementsEqual($0.name.utf8) ?? $0.isDefault
        }
        guard let store, store.offersIceberg, !request.caller.isGuest else { return nil }
        var asked = request
        (asked.expiresIn, asked.briefLife) = (nil, RemoteOperation.life)
        let verdict = verdict(on: asked)
        guard let life = verdict.expiresIn else { return nil }
        let needed = (verdict.ifNoneMatch == true ? ["if-none-match"] : []) + verdict.addedHeaders.map(\.name)
        return "  Iceberg signs it for \(life) s"
            + (needed.isEmpty ? "" : ", if the client announces \(needed.joined(separator: ", "))")
    }

    /// Sets the caller that the file has for an API key.
    ///
    /// - Returns: the verdict if no rule decides about the caller or the share link.
    func resolve(_ request: inout PresignRequest) -> RuleVerdict? {
        if request.share != nil, !offersShares { return .noShares }
        if request.caller == .guest, !admitsGuests { return .noGuests }
        guard let id = request.caller.apiKeyID else { return nil }
        guard let key = validCaller(ofKey: String(decoding: id, as: UTF8.self)) else { return .noKey }
        if request.caller.identity == nil, request.caller.groups.isEmpty { request.caller = key }
        return nil
    }

    /// Returns the caller with an API key that exists and is not disabled.
    func validCaller(ofKey id: String) -> Caller? {
        guard let configuration else { return Caller(apiKeyID: id, identity: id) }
        return configuration.caller(ofKey: id.utf8).flatMap { $0.isDisabled ? nil : $0.caller }
    }

    /// The ids of the API keys that the file defines.
    var keyIDs: [String] { configuration?.keyIDs ?? [] }

    /// Whether the file has rules only.
    var isRulesOnly: Bool { configuration == nil }

    /// Whether callers without credentials are decided by the rules.
    var admitsGuests: Bool { configuration?.admitsGuests ?? true }

    /// Whether share links can be made, if rules allow them.
    private var offersShares: Bool { configuration.map { !$0.shares.keys.isEmpty || $0.local != nil } ?? true }

    /// Whether links of `/o/` are offered in a store. Files with rules only say nothing about it.
    func offersLinks(inStore index: Int) -> Bool {
        configuration?.stores.first { $0.name == policy.stores[index].name }?.offersLinks ?? false
    }

    /// Returns the caller with an API key; in a file with rules only, its identity is the id of the key.
    package func caller(ofKey id: String) throws(FieldFailure) -> Caller {
        guard let configuration else { return Caller(apiKeyID: id, identity: id) }
        if let key = configuration.caller(ofKey: id.utf8) { return key.caller }
        throw FieldFailure(
            "--caller",
            "there is no API key \(id.quoted) under auth.apiKeys"
                + Suggestion.text(for: id, among: configuration.keyIDs))
    }

    private static func inputs(
        _ keys: ConfigurationMapping
    ) throws(ConfigurationError) -> (PolicyInputs, storages: [String: KnownProvider]) {
        guard let node = keys["stores"], !node.isList else {
            let named =
                try keys["stores"]?.each { try $0.string() } ?? names(in: keys["rules"]) + names(in: keys["deny"])
            let names = named.reduce(into: [unnamedStore]) { if !$0.contains($1) { $0.append($1) } }
            return (PolicyInputs(stores: names.map { .init($0, offersListing: true) }, defaultStore: unnamedStore), [:])
        }
        let stores = try StoreConfiguration.list(node)
        let inputs = PolicyInputs(
            stores: stores.policies(of: try node.members().map(\.key)),
            defaultStore: stores.first(where: \.isDefault)?.name ?? unnamedStore)
        return (inputs, stores.storages)
    }

    /// Returns the stores that the items of a list name. Compiling the rules reports invalid items.
    private static func names(in list: ConfigurationNode?) -> [String] {
        let members = (try? list?.list())?.flatMap { (try? $0.members()) ?? [] } ?? []
        return members.filter { $0.key.utf8.elementsEqual("store".utf8) }.compactMap { try? $0.value.string() }
    }
}
