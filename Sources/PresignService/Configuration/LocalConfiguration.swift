package import ConfigurationReading
package import HTTPServer
package import Presigning
import StorageCredentials

/// The embedded storage: where its files are and where it listens.
package struct LocalConfiguration: Sendable, Equatable {
    /// Made when it is not there.
    package var directory: String
    /// A loopback address.
    package var listen = ListenAddress.tcp(host: "127.0.0.1", port: 8081)

    /// The id of the API key that is made when the configuration has no callers.
    package static let keyID = "local"

    /// The default address.
    package init(directory: String) {
        self.directory = directory
    }

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["directory", "listen"])
        directory = try keys.required("directory").string()
        keys.read("listen", into: &listen) { node in
            let address = try node.listenAddress()
            guard Self.isLoopback(address) else { throw node.error(Self.loopbackMend) }
            return address
        }
    }

    /// True for the addresses that only this machine reaches, and that a page's policy can name: IPv6 ones it cannot
    /// (W3C CSP Level 3, host-source).
    package static func isLoopback(_ address: ListenAddress) -> Bool {
        guard case .tcp(let host, _) = address else { return false }
        return host == "localhost" || host.utf8.starts(with: "127.".utf8)
    }

    /// What to say of another address.
    package static let loopbackMend =
        "must be an IPv4 loopback address such as 127.0.0.1:8081: the storage is for development on this machine"
}

extension ServiceConfiguration {
    /// What is served when there is a directory and no file: one bucket, and everything for whoever has a key.
    package static func local(in directory: String) throws(ConfigurationError) -> ServiceConfiguration {
        let text = """
            version: 1
            server: {listen: ["127.0.0.1:8080"]}
            stores: {local: {bucket: local, region: us-east-1, links: true}}
            rules: [{path: "**", allow: {authenticated: [read, write, delete, multipart]}}]
            """
        var configuration = try ServiceConfiguration(parsing: Array(text.utf8), file: "built-in")
        configuration.local = LocalConfiguration(directory: directory)
        return configuration
    }

    /// Turns every store to the embedded storage.
    ///
    /// - Parameter endpoint: the storage's base URL.
    package mutating func serveLocally(
        from endpoint: String, with credentials: Credentials
    ) throws(StorageError) {
        stores = try stores.map { store throws(StorageError) in try store.served(at: endpoint, with: credentials) }
    }

    /// The buckets that URLs may name, with their regions, each pair once.
    package var buckets: [(name: String, region: String)] {
        stores.reduce(into: []) { buckets, store in
            let bucket = (name: store.bucket.name, region: store.bucket.endpoint.region)
            if !buckets.contains(where: { $0 == bucket }) { buckets.append(bucket) }
        }
    }
}
