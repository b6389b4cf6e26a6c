import DataFormats
import Requests
import Text

/// The section `lfs`: where the Git LFS API keeps its objects. The API is offered if the section exists.
package struct LFSConfiguration: Sendable {
    /// The store of the objects; nil means the default store.
    package private(set) var store: String?
    /// The first segments of every object's path, without a slash at the end.
    package private(set) var prefix = "lfs"

    /// - Parameter stores: the names of the configured stores.
    init(_ node: ConfigurationNode, stores: [String]) throws(ConfigurationError) {
        let keys = try node.mapping(["store", "prefix"])
        store = keys.value("store") { node throws(ConfigurationError) in
            let name = try node.string()
            guard stores.isEmpty || stores.contains(name) else {
                throw node.error("unknown store \(name.quoted)" + Suggestion.text(for: name, among: stores))
            }
            return name
        }
        keys.read("prefix", into: &prefix) { node throws(ConfigurationError) in
            let prefix = try node.string()
            guard let refusal = ObjectKeyCheck.refusal(of: Array(prefix.utf8)) else { return prefix }
            throw node.error("is \(prefix.quoted), which is not a valid path: \(refusal.description)")
        }
    }
}
