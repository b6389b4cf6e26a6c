package import ConfigurationReading
package import HTTPServer

/// Whether there are metrics, and where.
package struct MetricsConfiguration: Sendable, Equatable {
    /// True: `GET /metrics` answers, without credentials.
    package var isEnabled = true
    /// An address for the metrics alone; nil: they are served where everything else is.
    package var listen: ListenAddress?

    /// Whether the service's own listeners serve them.
    package var isServedWithTheRest: Bool { isEnabled && listen == nil }

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["enabled", "listen"])
        keys.read("enabled", into: &isEnabled) { try $0.boolean() }
        listen = keys.value("listen") { try $0.listenAddress() }
        if let node = keys["listen"], !isEnabled {
            throw node.error("goes with `enabled: true` only; there are no metrics to serve")
        }
    }
}
