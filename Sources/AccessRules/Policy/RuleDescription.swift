package import ConfigurationReading

/// A text of the configuration and where it stands.
package struct SourceText: Sendable {
    /// The text as written.
    package let text: String
    /// Where it stands.
    package let position: SourcePosition

    /// - Parameters:
    ///   - text: as written
    ///   - position: where it starts
    package init(_ text: String, at position: SourcePosition) {
        self.text = text
        self.position = position
    }
}

/// A rule as written, not yet checked.
package struct RuleDescription: Sendable {
    /// What one grantee is granted.
    package struct Grant: Sendable {
        /// Whom the grant is for.
        package var grantee: SourceText
        /// The words for what is granted.
        package var actions: [SourceText]
        /// Limits that replace the rule's.
        package var constraints: AccessConstraints

        /// - Parameters:
        ///   - grantee: its name
        ///   - actions: names of actions
        ///   - constraints: limits that replace the rule's
        package init(_ grantee: SourceText, _ actions: [SourceText], constraints: AccessConstraints = .init()) {
            self.grantee = grantee
            self.actions = actions
            self.constraints = constraints
        }
    }

    /// The template.
    package var path: SourceText
    /// The store's name; nil for the default store.
    package var store: SourceText?
    /// What is granted to whom.
    package var grants: [Grant]
    /// The limits of every grant.
    package var constraints: AccessConstraints

    /// - Parameters:
    ///   - path: the template
    ///   - store: the store's name, nil for the default store
    ///   - grants: who may do what
    ///   - constraints: limits on every grant
    package init(
        path: SourceText, store: SourceText? = nil, grants: [Grant], constraints: AccessConstraints = .init()
    ) {
        self.path = path
        self.store = store
        self.grants = grants
        self.constraints = constraints
    }
}

/// A `deny` entry as written, not yet checked.
package struct DenialDescription: Sendable {
    /// The pattern.
    package var path: SourceText
    /// The store's name; nil for every store: a denial that is too wide is safer than one that is too narrow.
    package var store: SourceText?
    /// Names of actions; nil for all.
    package var actions: [SourceText]?

    /// - Parameters:
    ///   - path: the pattern
    ///   - store: the store's name, nil for every store
    ///   - actions: names of actions, nil for all
    package init(path: SourceText, store: SourceText? = nil, actions: [SourceText]? = nil) {
        self.path = path
        self.store = store
        self.actions = actions
    }
}
