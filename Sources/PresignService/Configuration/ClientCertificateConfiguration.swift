package import TransportSecurity

/// How a client's certificate tells who calls.
package struct ClientCertificateConfiguration: Sendable {
    /// Which of its names the identity is.
    package let identity: PeerCertificate.NameKind
    private let position: SourcePosition

    init(_ node: ConfigurationNode) throws(ConfigurationError) {
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

    /// Without authorities no client is asked for a certificate.
    func mistake(with tls: TLSConfiguration?) -> ConfigurationError? {
        guard tls?.clients == nil else { return nil }
        return ConfigurationError(
            position, "`auth.mtls` goes with `server.tls.clients`, which names the authorities; add that")
    }
}
