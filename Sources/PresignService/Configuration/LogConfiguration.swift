package import DataFormats
package import HTTPServer

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

/// The section `metrics`: whether and where metrics are served.
package struct MetricsConfiguration: Sendable, Equatable {
    /// Whether `GET /metrics` is served, without authentication.
    package var isEnabled = true
    /// A separate address for the metrics; nil means the service's own listeners.
    package var listen: ListenAddress?

    /// Whether the service's own listeners serve them.
    package var usesServiceListeners: Bool { isEnabled && listen == nil }

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["enabled", "listen"])
        keys.read("enabled", into: &isEnabled) { try $0.boolean() }
        listen = keys.value("listen") { try $0.listenAddress() }
        if let node = keys["listen"], !isEnabled {
            throw node.error("is allowed only with `enabled: true`; remove it, or enable the metrics")
        }
    }
}
