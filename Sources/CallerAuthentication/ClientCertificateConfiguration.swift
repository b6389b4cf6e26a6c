package import ConfigurationReading
package import TLS

/// The section `auth.mtls`: how a client certificate identifies the caller.
package struct ClientCertificateConfiguration: Sendable {
    /// The kind of name in the certificate that is the caller's identity.
    package let identity: PeerCertificate.NameKind
    /// The position of `auth.mtls` in the configuration.
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
