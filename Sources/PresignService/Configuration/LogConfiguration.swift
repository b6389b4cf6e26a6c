package import ConfigurationReading

/// The section `log`: what is logged.
package struct LogConfiguration: Sendable, Equatable {
    /// The levels, from the most verbose to the least.
    package static let levels = ["trace", "debug", "info", "notice", "warning", "error"]

    /// The minimum level of diagnostics: one of `levels`.
    package var level = "info"
    /// Whether each request is logged as a JSON line on standard output.
    package var requests = true

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["level", "requests"])
        keys.read("level", into: &level) { try $0.word(among: Self.levels) }
        keys.read("requests", into: &requests) { try $0.boolean() }
    }
}
