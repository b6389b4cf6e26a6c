import DataFormats
package import Presigning

/// A set of actions.
package struct AccessActionSet: OptionSet, Sendable, Hashable {
    /// One bit per action: `1 << action.rawValue`.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one action.
    package init(_ action: AccessAction) { self.init(rawValue: 1 << action.rawValue) }

    /// `get` and `list`.
    package static let read: Self = [Self(.get), Self(.list)]
    /// `write` and `multipart`.
    package static let upload: Self = [Self(.write), Self(.multipart)]
    /// All actions.
    package static let all = Self(AccessAction.allCases.map { Self($0) })

    /// The actions for a word of the configuration; nil for an unknown word.
    package init?(name: String) {
        if name == "read" {
            self = .read
        } else if let action = AccessAction.allCases.first(where: { $0.name == name }) {
            self.init(action)
        } else {
            return nil
        }
    }

    /// The names of the actions, comma-separated, for messages.
    package var names: String {
        AccessAction.allCases.filter { contains(Self($0)) }.map(\.name).joined(separator: ", ")
    }
}

extension AccessActionSet {
    /// The action that an unknown word probably stands for.
    package static func suggestion(for name: String) -> String? {
        let synonyms = [
            "put": "write", "upload": "write", "create": "write", "post": "write", "head": "get", "download": "get",
            "remove": "delete", "rm": "delete",
        ]
        return synonyms[name.lowercased()]
            ?? Suggestion.nearest(to: name, among: AccessAction.allCases.map(\.name) + ["read"])
    }
}
