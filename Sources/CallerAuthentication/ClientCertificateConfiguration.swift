package import ConfigurationReading
package import TLS

/// How a client's certificate tells who calls.
package struct ClientCertificateConfiguration: Sendable {
    /// Which of its names the identity is.
    package let identity: PeerCertificate.NameKind
    /// Where `auth.mtls` stands in the configuration.
    package let position: SourcePosition

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["identity"])
        let name = try keys.required("identity")
        identity =
            switch try name.word(among: ["san.uri", "san.dns", "san.email"]) {
            case "san.uri": .uri
            case "san.dns": .dns
            default: .email
            }
        position = node.position
    }
}
