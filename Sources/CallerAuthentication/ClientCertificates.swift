import AccessRules
package import HTTP1
import Presigning
import TLS

/// Tells who calls by the certificate that the client has shown on its connection. TLS has verified it: its chain, its
/// purpose, and that it is not revoked.
package struct ClientCertificates: Sendable {
    let kind: PeerCertificate.NameKind

    func outcome(for certificate: PeerCertificate, at time: SigningTime) -> AuthenticationOutcome {
        // A connection may outlive the certificate it began with.
        guard certificate.validity.contains(time.secondsSince1970) else {
            return .rejected(reason: "client certificate: out of its time")
        }
        switch certificate.name(kind) {
        case .none: return .rejected(reason: "client certificate: no name of the kind that auth.mtls.identity says")
        case .several: return .rejected(reason: "client certificate: several names of that kind")
        case .unusable: return .rejected(reason: "client certificate: a name with other than visible ASCII")
        case .one(let name):
            // One name for many is nobody's.
            if kind == .dns, name.contains(UInt8(ascii: "*")) {
                return .rejected(reason: "client certificate: a wildcard for a name")
            }
            return .authenticated(Caller(certificate: name))
        }
    }
}

extension CallerAuthenticator {
    /// Whether the request says who calls in any way but a proxy's: a certificate counts, as does a token that is wrong.
    package func findsCredentials(in request: HTTPRequest) -> Bool {
        request.headers.haveCredentials || (certificates != nil && request.certificate != nil)
    }
}
