package import ConfigurationReading

/// What is logged.
package struct LogConfiguration: Sendable, Equatable {
    /// The levels there are, least first.
    package static let levels = ["trace", "debug", "info", "notice", "warning", "error"]

    /// The least level of diagnostics: one of `levels`.
    package var level = "info"
    /// True: one JSON line per request on standard output.
    package var requests = true

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["level", "requests"])
        keys.read("level", into: &level) { try $0.word(among: Self.levels) }
        keys.read("requests", into: &requests) { try $0.boolean() }
    }
}
