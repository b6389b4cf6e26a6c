package import ConfigurationReading
package import HTTPServer

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
