package import ConfigurationReading
import Text

/// A proxy in front of the service that tells who calls, and from where.
package struct ProxyConfiguration: Sendable, Equatable {
    /// Its own addresses.
    package var peers = TrustedProxyNetworks()
    /// The header with the caller's identity, in lower case as all names here; nil: it tells none.
    package var identity: [UInt8]?
    /// The header with the caller's groups.
    package var groups: [UInt8]?
    /// The header with the secret that shows it is the proxy; nil: its address is enough, and it tells no identity.
    package var secretHeader: [UInt8]?
    /// The file with that secret.
    package var secretFile: String?
    /// The header with the addresses that the request passed, such as X-Forwarded-For.
    package var clientAddress: [UInt8]?

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["from", "identity", "groups", "secretHeader", "secretFile", "clientAddress"])
        let from = try keys.required("from")
        let entries = try from.list()
        guard !entries.isEmpty else { throw from.error("must name at least one network, or unix") }
        for entry in entries {
            let text = try entry.string()
            do throws(TrustedProxyNetworks.Mistake) {
                try peers.add(text)
            } catch {
                throw entry.error(error.description)
            }
        }
        var names: [[UInt8]] = []
        // An identity grants access, so the proxy must prove itself; a client address only selects the limit that applies.
        if keys["secretHeader"] != nil || keys["secretFile"] != nil || keys["identity"] != nil {
            secretHeader = try Self.name(try keys.required("secretHeader"), among: &names)
            secretFile = try keys.required("secretFile").string()
        }
        if let node = keys["identity"] { identity = try Self.name(node, among: &names) }
        if let node = keys["clientAddress"] { clientAddress = try Self.name(node, among: &names) }
        if let node = keys["groups"] {
            groups = try Self.name(node, among: &names)
            guard identity != nil else { throw node.error("goes with `identity`: groups alone are nobody's") }
        }
        guard identity != nil || clientAddress != nil else {
            throw node.error("needs the key `identity`, or `clientAddress`, or both; else it has nothing to tell")
        }
    }

    /// Letters, digits and hyphens: other marks are what gateways confuse with hyphens.
    private static func name(
        _ node: ConfigurationNode, among names: inout [[UInt8]]
    ) throws(ConfigurationError) -> [UInt8] {
        let name = ASCII.lowercased(try node.string().utf8)
        let isPlain = name.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
        guard isPlain, 1...64 ~= name.count, name.first != UInt8(ascii: "-") else {
            throw node.error("must be the name of a header: letters, digits and hyphens")
        }
        guard !reserved.contains(where: { $0.utf8.elementsEqual(name) }) else {
            throw node.error("has a meaning of its own; choose another name, such as X-Auth-User")
        }
        guard !names.contains(name) else { throw node.error("names the same header twice") }
        names.append(name)
        return name
    }

    private static let reserved = [
        "accept", "authorization", "connection", "content-encoding", "content-length", "content-type", "cookie", "date",
        "expect", "host", "keep-alive", "origin", "te", "trailer", "transfer-encoding", "upgrade", "user-agent", "via",
        "x-api-key", "x-request-id",
    ]
}
