package import DataFormats
package import HTTP1
package import HTTPServer
package import Presigning
import StorageCredentials

/// The section `local`: the embedded storage's directory and address.
package struct LocalConfiguration: Sendable, Equatable {
    /// Created if missing.
    package var directory: String
    /// A loopback address.
    package var listen = ListenAddress.tcp(host: "127.0.0.1", port: 8081)

    /// The id of the API key that is generated if the configuration has no callers.
    package static let keyID = "local"

    /// Uses the default address.
    package init(directory: String) {
        self.directory = directory
    }

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["directory", "listen"])
        keys.read("listen", into: &listen) { node in
            let address = try node.listenAddress()
            guard Self.isLoopback(address) else { throw node.error(Self.loopbackRequirement) }
            return address
        }
        guard let directory = keys.required("directory", { try $0.string() }) else { throw keys.incomplete }
        self.directory = directory
    }

    /// Whether the address is reachable only from this machine and allowed in a Content-Security-Policy, which excludes
    /// IPv6 addresses (W3C CSP Level 3, host-source).
    package static func isLoopback(_ address: ListenAddress) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        return host == "localhost" || host.utf8.starts(with: "127.".utf8)
    }

    /// The error message for any other address.
    package static let loopbackRequirement =
        "must be an IPv4 loopback address such as 127.0.0.1:8081: the storage is for development on this machine"
}

extension ServiceConfiguration {
    /// The configuration of `serve --local` without a file: one bucket, and every action for callers with an API key.
    package static func local(in directory: String) throws(ConfigurationError) -> ServiceConfiguration {
        let text = """
            version: 1
            server: {listen: ["127.0.0.1:8080"]}
            stores: {local: {bucket: local, region: us-east-1, links: true, listing: true}}
            limits: {perCaller: {rate: 100/s, burst: 10000}, perGuest: 60/m}
            rules:
              - path: "**"
                allow: {authenticated: [read, write, delete, multipart]}
                share: {get: 90d, write: 7d}
            """
        var configuration = try ServiceConfiguration(parsing: Array(text.utf8), file: "built-in")
        configuration.local = LocalConfiguration(directory: directory)
        return configuration
    }

    /// Points every store to the embedded storage.
    ///
    /// - Parameter endpoint: the storage's base URL.
    package mutating func serveLocally(
        from endpoint: String, with credentials: Credentials
    ) throws(StorageError) {
        stores = try stores.map { store throws(StorageError) in try store.served(at: endpoint, with: credentials) }
    }

    /// The web origins whose pages may call. With the embedded storage, pages of this machine may if no origin is
    /// configured.
    package var allowedOrigins: CORSPolicy { local == nil ? cors : cors.forDevelopment }

    /// The hosts that requests can name while the embedded storage is used.
    package var allowedHosts: AllowedHosts { AllowedHosts(of: cors.texts + stores.compactMap(\.publicEndpoint)) }

    /// The distinct pairs of bucket and region of all stores.
    package var buckets: [(name: String, region: String)] {
        stores.reduce(into: []) { buckets, store in
            let bucket = (name: store.bucket.name, region: store.bucket.endpoint.region)
            if !buckets.contains(where: { $0 == bucket }) { buckets.append(bucket) }
        }
    }
}
