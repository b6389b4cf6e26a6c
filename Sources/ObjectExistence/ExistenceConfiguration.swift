package import ConfigurationReading
package import HTTPClient

/// The section `existence`: limits of the HEAD requests for `validateObjectExistence`.
package struct ExistenceConfiguration: Sendable, Equatable {
    /// The most checks in flight.
    package var maximumInFlight = 64
    /// The most checks in the queue.
    package var maximumQueued = 256
    /// Timeout for connecting.
    package var connectTimeout: Duration = .seconds(2)
    /// Timeout for a whole check, queueing included.
    package var timeout: Duration = .seconds(5)
    /// The HTTP proxy; nil means none.
    package var proxy: FetchURL?
    /// A PEM file of certificate authorities; nil means the system's.
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

    private static func proxy(_ node: ConfigurationNode) throws(ConfigurationError) -> FetchURL {
        // The port is required, because libcurl's default of 1080 is unexpected.
        guard let proxy = FetchURL(try node.string()), proxy.target == "/",
            proxy.authority.hasSuffix(":\(proxy.port)")
        else { throw node.error("must be http://host:port or https://host:port, without a password or path") }
        return proxy
    }
}
