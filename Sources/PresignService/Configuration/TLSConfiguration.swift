package import ConfigurationReading
package import Cryptography
package import HTTPServer
package import TLS

/// The files by which the service speaks TLS.
package struct TLSConfiguration: Sendable, Equatable {
    /// Whose certificates are accepted from clients.
    package struct Clients: Sendable, Equatable {
        /// A PEM file of authorities.
        package var authorities: String
        /// A PEM file of their revocation lists.
        package var revocationLists: String?
        /// True: a client without a certificate is refused.
        package var isRequired = false

        package init(_ node: ConfigurationNode) throws(ConfigurationError) {
            let keys = try node.mapping(["ca", "crl", "required"])
            authorities = try keys.required("ca").string()
            revocationLists = keys.value("crl") { try $0.string() }
            keys.read("required", into: &isRequired) { try $0.boolean() }
        }
    }

    /// A PEM file: the certificate, then those that lead to its authority.
    package var certificate: String
    /// A PEM file: its private key, without a passphrase.
    package var key: String
    /// Nil: clients are not asked for certificates.
    package var clients: Clients?
    private let position: SourcePosition

    /// The files it names, whose content belongs to it.
    package var files: [String] {
        [certificate, key] + (clients.map { [$0.authorities] + ($0.revocationLists.map { [$0] } ?? []) } ?? [])
    }

    /// Reads the section `server.tls`.
    ///
    /// - Parameter plain: gets the addresses where TLS is not spoken.
    package init(_ node: ConfigurationNode, _ plain: inout [ListenAddress]) throws(ConfigurationError) {
        let keys = try node.mapping(["certificate", "key", "clients", "plain"])
        position = node.position
        certificate = try keys.required("certificate").string()
        key = try keys.required("key").string()
        clients = keys.value("clients", Clients.init)
        keys.read("plain", into: &plain, HTTPServerConfiguration.addresses)
    }

    /// A health check has no certificate, and needs another way in.
    package func warning(listening server: HTTPServerConfiguration) -> ConfigurationError? {
        guard clients?.isRequired == true, server.listen.allSatisfy(\.isTCP), server.plainListen.isEmpty else {
            return nil
        }
        return ConfigurationError(
            position,
            "every connection needs a client's certificate, which health checks have not; give `server.tls.plain` an"
                + " address such as 127.0.0.1:8081, or `server.listen` a Unix socket")
    }

    /// What the files hold now.
    ///
    /// - Parameter read: gives the content of a file.
    /// - Throws: `TLSFileFailure` when a file cannot be read, or they cannot be used together.
    package func loaded(read: (String) throws -> [UInt8]) throws(TLSFileFailure) -> LoadedTLS {
        let chain = try TLSFileFailure.bytes(of: certificate, "certificate", read: read)
        let key = try TLSFileFailure.bytes(of: key, "key", read: read)
        var accepted: ServerTLS.Clients?
        var acceptance: [[UInt8]] = []
        if let clients {
            let authorities = try TLSFileFailure.bytes(of: clients.authorities, "clients.ca", read: read)
            accepted = ServerTLS.Clients(authorities: authorities, isRequired: clients.isRequired)
            acceptance = [authorities, [clients.isRequired ? 1 : 0]]
            if let file = clients.revocationLists {
                let lists = try TLSFileFailure.bytes(of: file, "clients.crl", read: read)
                // No list would revoke nobody.
                guard !lists.isEmpty else {
                    throw TLSFileFailure(description: "server.tls.clients.crl: \(file) is empty")
                }
                accepted?.revocationLists = lists
                acceptance.append(lists)
            }
        }
        do throws(TLSFailure) {
            let settings = try ServerTLS(chain: chain, key: key, clients: accepted)
            return LoadedTLS(
                settings: settings, digest: LoadedTLS.digest(of: [chain, key]),
                acceptance: LoadedTLS.digest(of: acceptance))
        } catch {
            throw TLSFileFailure(description: "server.tls: \(error)")
        }
    }
}

/// What the files of TLS held when they were read.
package struct LoadedTLS: Sendable {
    /// What connections begin with.
    package let settings: ServerTLS
    /// Tells whether the server's own files have changed.
    package let digest: SHA256Digest
    /// Tells whether those have by which clients are accepted.
    package let acceptance: SHA256Digest

    fileprivate static func digest(of content: [[UInt8]]) -> SHA256Digest {
        SHA256.hash(content.flatMap { SHA256.hash($0).bytes })
    }
}

/// Why the files of TLS cannot be used. It holds nothing of a key.
package struct TLSFileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting, the file, and what is wrong, in one line.
    package let description: String

    fileprivate static func bytes(
        of file: String, _ name: String, read: (String) throws -> [UInt8]
    ) throws(TLSFileFailure) -> [UInt8] {
        do {
            return try read(file)
        } catch {
            throw TLSFileFailure(description: "server.tls.\(name): \(error)")
        }
    }
}
