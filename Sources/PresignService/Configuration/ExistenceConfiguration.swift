package import ConfigurationReading

/// Bounds of the HEAD request behind `validateObjectExistence`.
package struct ExistenceConfiguration: Sendable, Equatable {
    /// Checks on the wire at once.
    package var maximumInFlight = 64
    /// Checks that may wait.
    package var maximumQueued = 256
    /// For a connection.
    package var connectTimeout: Duration = .seconds(2)
    /// For a whole check, waiting included.
    package var timeout: Duration = .seconds(5)
    /// The proxy's URL without a password; nil means none.
    package var proxy: String?
    /// A PEM file of authorities; nil means the system's.
    package var caFile: String?

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping([
            "maximumInFlight", "maximumQueued", "connectTimeout", "timeout", "proxy", "caFile",
        ])
        let times: ClosedRange<Duration> = .milliseconds(10) ... .seconds(300)
        keys.read("maximumInFlight", into: &maximumInFlight) { try $0.integer(in: 1...10_000) }
        keys.read("maximumQueued", into: &maximumQueued) { try $0.integer(in: 0...100_000) }
        keys.read("connectTimeout", into: &connectTimeout) { try $0.duration(in: times) }
        keys.read("timeout", into: &timeout) { try $0.duration(in: times) }
        keys.read("proxy", into: &proxy, Self.proxy)
        keys.read("caFile", into: &caFile) { try $0.string() }
    }

    private static func proxy(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let proxy = try node.string()
        let isURL = ["http://", "https://"].contains {
            proxy.utf8.starts(with: $0.utf8) && proxy.utf8.count > $0.utf8.count
        }
        guard isURL, !proxy.utf8.contains(UInt8(ascii: "@")) else {
            throw node.error("must be http://host:port or https://host:port, without a password")
        }
        return proxy
    }
}
