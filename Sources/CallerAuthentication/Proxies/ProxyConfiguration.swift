package import DataFormats
import Text

/// A trusted proxy in front of the service that sends the caller's identity, the client's address, or both. All header
/// names are in lower case.
package struct ProxyConfiguration: Sendable, Equatable {
    /// The addresses the proxy connects from.
    package var peers = TrustedProxyNetworks()
    /// The header with the caller's identity; nil if the proxy does not send one.
    package var identity: [UInt8]?
    /// The header with the caller's groups; nil if the proxy does not send any.
    package var groups: [UInt8]?
    /// The character between groups.
    package var separator = ASCII.comma
    /// The header with the secret that authenticates the proxy. Nil if its address is sufficient; then it sends no
    /// identity.
    package var secretHeader: [UInt8]?
    /// The path of the file with that secret.
    package var secretFile: String?
    /// The header with the addresses of the client and proxies, such as X-Forwarded-For; nil if the proxy sends none.
    package var clientAddress: [UInt8]?

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping([
            "from", "identity", "groups", "separator", "secretHeader", "secretFile", "clientAddress",
        ])
        _ = keys.required("from") { try Self.add($0, to: &peers) }
        var names: [[UInt8]] = []
        // An identity grants access, so it requires the secret. A client address only selects a rate limit.
        if keys["secretHeader"] != nil || keys["secretFile"] != nil || keys["identity"] != nil {
            secretHeader = keys.required("secretHeader") { try Self.name($0, among: &names) }
            secretFile = keys.required("secretFile") { try $0.string() }
        }
        identity = keys.value("identity") { try Self.name($0, among: &names) }
        clientAddress = keys.value("clientAddress") { try Self.name($0, among: &names) }
        groups = keys.value("groups") { try Self.name($0, among: &names) }
        keys.read("separator", into: &separator, GroupSeparator.read)
        if let node = keys["separator"], keys["groups"] == nil, !keys.isMisspelled("groups") {
            node.mistakes.add(node.error("requires `groups`, the header that it splits; add it"))
        }
        let hasIdentity = keys["identity"] != nil || keys.isMisspelled("identity")
        if let node = keys["groups"], !hasIdentity {
            node.mistakes.add(
                node.error("requires `identity`, the header with the caller that is in these groups; add it"))
        }
        if !hasIdentity, keys["clientAddress"] == nil, !keys.isMisspelled("clientAddress") {
            throw node.error(
                "needs the key `identity` or `clientAddress`; without both, no header of the proxy is read")
        }
    }

    private static func add(
        _ node: ConfigurationNode, to peers: inout TrustedProxyNetworks
    ) throws(ConfigurationError) {
        if try node.list().isEmpty { throw node.error("must name at least one network such as 10.0.0.0/8, or unix") }
        _ = try node.each { entry in
            let text = try entry.string()
            do throws(TrustedProxyNetworks.Mistake) {
                try peers.add(text)
            } catch {
                throw entry.error("\(error.description), but is \(text.quoted)")
            }
        }
    }

    private static func name(
        _ node: ConfigurationNode, among names: inout [[UInt8]]
    ) throws(ConfigurationError) -> [UInt8] {
        let name = try CallerHeaderName.read(node, example: "X-Auth-User")
        guard !names.contains(name) else {
            let text = String(decoding: name, as: UTF8.self)
            throw node.error("is the duplicate header `\(text)`; use a different header for each key")
        }
        names.append(name)
        return name
    }
}
