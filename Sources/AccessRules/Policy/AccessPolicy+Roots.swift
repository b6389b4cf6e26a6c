package import Requests

/// The folders at which a caller can start: those that it may list, and those to which it may upload.
package struct Roots: Sendable, Equatable {
    /// Prefixes, each empty or with a slash at its end, the shortest paths first.
    package internal(set) var folders: [[UInt8]] = []
    /// Whether there can be more of them.
    package internal(set) var areTruncated = false

    /// No folders.
    package init() {}
}

extension AccessPolicy {
    /// The maximum number of roots of a caller.
    package static let maximumRoots = 100

    /// Returns the folders at which a caller can start, at most `maximumRoots`.
    ///
    /// The folders are those of the rules that grant the caller listings or uploads, with its own values in place of
    /// placeholders. A folder within a root is omitted if the caller may do no more there.
    ///
    /// - Parameter name: The store's name; nil for the default store.
    package func roots(of caller: Caller, in name: String?) -> Roots {
        guard let store = index(ofStore: name) else { return Roots() }
        var search = RootSearch(for: caller, in: store, of: self)
        search.run()
        return search.roots
    }
}
