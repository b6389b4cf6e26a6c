package import DataFormats
package import HTTP1
import Presigning
import Requests
package import System

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

    /// Authenticates a caller by the client certificate of the connection. TLS has already verified its chain, purpose
    /// and revocation status.
    func outcome(for certificate: PeerCertificate, at time: SigningTime) -> AuthenticationOutcome {
        // A connection can outlive its certificate.
        guard certificate.validity.contains(time.secondsSince1970) else {
            return .rejected(reason: "client certificate: expired or not yet valid")
        }
        switch certificate.name(identity) {
        case .none: return .rejected(reason: "client certificate: no name of the kind in auth.mtls.identity")
        case .several: return .rejected(reason: "client certificate: several names of the kind in auth.mtls.identity")
        case .unusable:
            return .rejected(reason: "client certificate: the name contains characters other than visible ASCII")
        case .one(let name):
            // A wildcard does not identify a single caller.
            if identity == .dns, name.contains(UInt8(ascii: "*")) {
                return .rejected(reason: "client certificate: the name is a wildcard")
            }
            return .authenticated(Caller(certificate: name))
        }
    }
}

extension CallerAuthenticator {
    /// Whether the request has credentials other than a proxy's headers, valid or not. A client certificate counts.
    package func findsCredentials(in request: HTTPRequest) -> Bool {
        request.headers.contains(.authorization) || request.headers.contains(.apiKey)
            || (certificates != nil && request.certificate != nil) || !tokens(in: request.headers).isEmpty
    }
}
