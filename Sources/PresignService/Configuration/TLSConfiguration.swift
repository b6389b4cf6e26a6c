package import Cryptography
package import DataFormats
package import HTTPServer
import Presigning
package import System

/// The section `server.tls`: the service's TLS files.
package struct TLSConfiguration: Sendable, Equatable {
    /// The section `server.tls.clients`: which client certificates are accepted.
    package struct Clients: Sendable, Equatable {
        /// A PEM file of certificate authorities.
        package var authorities: String
        /// A PEM file of the authorities' revocation lists.
        package var revocationLists: String?
        /// Whether clients without a certificate are refused.
        package var isRequired = false

        package init(_ node: ConfigurationNode) throws(ConfigurationError) {
            let keys = try node.mapping(["ca", "crl", "required"])
            revocationLists = keys.value("crl") { try $0.string() }
            keys.read("required", into: &isRequired) { try $0.boolean() }
            guard let authorities = keys.required("ca", { try $0.string() }) else { throw keys.incomplete }
            self.authorities = authorities
        }
    }

    /// A PEM file: the certificate, then its intermediate certificates.
    package var certificate: String
    /// A PEM file: the private key, without a passphrase.
    package var key: String
    /// Nil if client certificates are not requested.
    package var clients: Clients?
    private let position: SourcePosition

    /// The files whose content is part of the configuration.
    package var files: [String] {
        [certificate, key] + (clients.map { [$0.authorities] + ($0.revocationLists.map { [$0] } ?? []) } ?? [])
    }

    /// Reads the section `server.tls`.
    ///
    /// - Parameter plain: receives the addresses without TLS.
    package init(_ node: ConfigurationNode, _ plain: inout [ListenAddress]) throws(ConfigurationError) {
        let keys = try node.mapping(["certificate", "key", "clients", "plain"])
        position = node.position
        let certificateFile = keys.required("certificate") { try $0.string() }
        let keyFile = keys.required("key") { try $0.string() }
        clients = keys.value("clients", Clients.init)
        keys.read("plain", into: &plain, HTTPServerConfiguration.addresses)
        guard let certificate = certificateFile, let key = keyFile else { throw keys.incomplete }
        (self.certificate, self.key) = (certificate, key)
    }

    /// Returns a warning if health checks, which have no certificate, cannot connect.
    package func warning(listening server: HTTPServerConfiguration) -> ConfigurationError? {
        guard clients?.isRequired == true, server.listen.allSatisfy(\.isTCP), server.plainListen.isEmpty else {
            return nil
        }
        return ConfigurationError(
            position,
            "every connection needs a client certificate, which health checks do not have; add an address such as"
                + " 127.0.0.1:8081 to `server.tls.plain`, or a Unix socket to `server.listen`")
    }

    /// Loads the files.
    ///
    /// - Parameter read: returns the content of a file.
    /// - Throws: `TLSFileFailure` if a file cannot be read, or the files do not fit together.
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
                // An empty file would silently disable revocation.
                guard !lists.isEmpty else {
                    throw TLSFileFailure(
                        description: "server.tls.clients.crl: \(file) is empty; it must contain a PEM revocation list")
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

/// The loaded TLS files.
package struct LoadedTLS: Sendable {
    /// The settings for new connections.
    package let settings: ServerTLS
    /// The digest of the server's certificate and key; differs if they have changed.
    package let digest: SHA256Digest
    /// The digest of the files and settings for client certificates; differs if they have changed.
    package let acceptance: SHA256Digest

    /// The time at which the server's certificate expires, in RFC 3339.
    package var endText: String { Self.text(settings.ends) }

    /// Returns warnings about expired certificates and revocation lists.
    ///
    /// - Parameter now: seconds since 1970.
    package func warnings(at now: Int64) -> [String] {
        var warnings: [String] = []
        if settings.ends <= now {
            warnings.append("server.tls.certificate: expired on \(endText); clients reject it")
        }
        if let end = settings.revocationListsEnd, end <= now {
            warnings.append(
                "server.tls.clients.crl: a revocation list expired on \(Self.text(end)); certificates of its issuer are"
                    + " rejected"
            )
        }
        return warnings
    }

    private static func text(_ seconds: Int64) -> String { SigningTime(secondsSince1970: seconds).rfc3339Text }

    fileprivate static func digest(of content: [[UInt8]]) -> SHA256Digest {
        SHA256.hash(content.flatMap { SHA256.hash($0).bytes })
    }
}

/// Why the TLS files cannot be used. Contains no key material.
package struct TLSFileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The setting, the file, and the error, in one line.
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
