package import DataFormats
package import ObjectExistence

extension ExistenceConfiguration {
    /// Reads the section `existence`.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init()
        let keys = try node.mapping([
            "maximumInFlight", "maximumQueued", "connectTimeout", "timeout", "proxy", "caFile",
        ])
        let times: ClosedRange<Duration> = .milliseconds(10) ... .seconds(300)
        keys.read("maximumInFlight", into: &maximumInFlight) { try $0.integer(in: 1...10_000) }
        keys.read("maximumQueued", into: &maximumQueued) { try $0.integer(in: 0...100_000) }
        keys.read("connectTimeout", into: &connectTimeout) { try $0.duration(in: times) }
        keys.read("timeout", into: &timeout) { try $0.duration(in: times) }
        keys.read("proxy", into: &proxy) { node throws(ConfigurationError) in
            guard let proxy = Self.proxy(try node.string()) else {
                throw node.error("must be http://host:port or https://host:port, without a password or path")
            }
            return proxy
        }
        keys.read("caFile", into: &caFile) { try $0.string() }
    }
}
