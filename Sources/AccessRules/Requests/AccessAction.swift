/// What a caller wants to do with an object.
package enum AccessAction: UInt8, Sendable, CaseIterable {
    /// GetObject and HeadObject.
    case get
    /// Listing by prefix; no operation needs it yet.
    case list
    /// PutObject in one request.
    case write
    /// DeleteObject.
    case delete
    /// Creating, filling, completing, listing and aborting a multipart upload; not a part of `write`, because its size
    /// cannot be held to a limit.
    case multipart

    /// Whether the service signs anything for it.
    package var hasOperation: Bool { self != .list }

    /// The name in the configuration.
    package var name: String {
        switch self {
        case .get: "get"
        case .list: "list"
        case .write: "write"
        case .delete: "delete"
        case .multipart: "multipart"
        }
    }
}

/// A set of actions.
package struct AccessActionSet: OptionSet, Sendable, Hashable {
    /// One bit for each action.
    package let rawValue: UInt8

    /// The actions of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The set of one action.
    package init(_ action: AccessAction) { self.init(rawValue: 1 << action.rawValue) }

    /// `get` and `list`.
    package static let read: Self = [Self(.get), Self(.list)]
    /// Every action there is.
    package static let all = Self(AccessAction.allCases.map { Self($0) })

    /// The actions a word of the configuration stands for; nil for an unknown word.
    package init?(name: String) {
        if name == "read" {
            self = .read
        } else if let action = AccessAction.allCases.first(where: { $0.name == name }) {
            self.init(action)
        } else {
            return nil
        }
    }

    /// The names of the actions, for messages.
    package var names: String {
        AccessAction.allCases.filter { contains(Self($0)) }.map(\.name).joined(separator: ", ")
    }
}
