import AccessRules
package import DataFormats
import HTTP1
import Presigning
import Text

/// The section `shares`: the keys of share links, and the links that are revoked.
package struct ShareConfiguration: Sendable {
    /// A key that seals links.
    package struct Key: Sendable {
        /// The public id, which every link names.
        package let id: String
        /// Where the key is: a file, or the key itself, which only the embedded storage has.
        package let source: Source

        package enum Source: Sendable {
            case file(String)
            case text(String)
        }
    }

    /// The scheme and host of every link; nil for those of the request that makes it.
    package private(set) var origin: String?
    /// The first key seals new links; all open existing ones.
    package private(set) var keys: [Key] = []
    /// The links that are refused although their keys are valid.
    package private(set) var revoked: [ShareRevocation] = []

    /// The position in the configuration; nil without the section.
    package private(set) var position: SourcePosition?

    /// No keys, so no links.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        position = node.position
        let sections = try node.mapping(["url", "keys", "revoked"])
        origin = sections.value("url", Self.origin)
        var ids: Set<[UInt8]> = []
        let keys = sections.required("keys") { node throws(ConfigurationError) in
            if try node.list().isEmpty { throw node.error("must contain at least one key: {id: ..., file: ...}") }
            return try node.each { node in
                let key = try Key(node)
                if ids.insert(Array(key.id.utf8)).inserted { return key }
                throw node.error("has the duplicate id \(key.id.quoted); give each key its own id")
            }
        }
        self.keys = keys ?? []
        revoked = sections.value("revoked") { try $0.each(ShareRevocation.init) } ?? []
    }

    /// Adds the key of the embedded storage, if no key is configured.
    package mutating func addLocalKey(_ text: String) {
        if keys.isEmpty { keys = [Key(id: "local", source: .text(text))] }
    }

    /// The paths of the key files. A change of their content is a change of the configuration.
    package var files: [String] {
        keys.compactMap { if case .file(let path) = $0.source { path } else { nil } }
    }

    private static func origin(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        guard text != "*" else { throw node.error("must be an origin such as https://files.example.com") }
        if let mistake = CORSPolicy.mistake(in: text) { throw node.error("is not an origin: \(mistake)") }
        return text
    }
}

extension ShareConfiguration.Key {
    /// The maximum length of an id, which makes every link longer.
    private static let maximumIDLength = 16

    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["id", "file"])
        let id = keys.required("id") { node throws(ConfigurationError) in
            let id = try node.string()
            let isValid = id.utf8.allSatisfy { UInt8(ascii: "!")...UInt8(ascii: "~") ~= $0 }
            guard id.utf8.count <= Self.maximumIDLength, isValid else {
                throw node.error("must be 1 to \(Self.maximumIDLength) visible ASCII characters, such as 2026-11")
            }
            return id
        }
        let file = keys.required("file") { try $0.string() }
        guard let id, let file else { throw keys.incomplete }
        self.init(id: id, source: .file(file))
    }
}

/// An item of `shares.revoked`: the links that have all of its properties.
package struct ShareRevocation: Sendable {
    /// The id of one link.
    let share: [UInt8]?
    /// The caller who made the link, as the request log names it, such as `caller:ci`.
    let caller: [UInt8]?
    /// The path of the object, in any store, with the wildcards of `deny`.
    let path: DenyPattern?
    /// The time before which the link was made.
    let before: SigningTime?
    /// The position in the configuration.
    package let position: SourcePosition

    fileprivate init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["share", "caller", "path", "before"])
        if keys.members.isEmpty { throw node.error("must have at least one of share, caller, path and before") }
        share = keys.value("share") { Array(try $0.string().utf8) }
        caller = keys.value("caller") { Array(try $0.string().utf8) }
        path = keys.value("path") { try DenyPattern($0) }
        before = keys.value("before") { node throws(ConfigurationError) in
            let text = try node.string()
            if let time = SigningTime(rfc3339: text) ?? SigningTime(rfc3339: text + "T00:00:00Z") { return time }
            throw node.error("must be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z")
        }
        position = node.position
    }
}
