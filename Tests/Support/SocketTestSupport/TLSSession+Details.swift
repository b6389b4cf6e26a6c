internal import COpenSSL
private import CTLSTestSupport
package import System

/// What tests compare and the service does not need.
extension TLSSession {
    /// `TLSv1.3` or `TLSv1.2`.
    package var version: String { unsafe String(cString: presign_tls_session_version(pointer)) }

    /// Lets a client present a certificate, if the server requests one. Call this before the handshake.
    package func present(_ issued: CertificateAuthority.Issued) throws {
        // The session and the texts outlive the call.
        guard unsafe presign_test_use_certificate(pointer, issued.certificate, issued.key) else {
            throw RawClient.Failure(description: "the client's certificate cannot be used")
        }
    }

    /// Whether the handshake resumed an earlier session.
    package var isResumed: Bool { unsafe presign_tls_session_is_resumed(pointer) }

    /// The negotiated protocol (ALPN); empty without one.
    package var agreedProtocol: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 255) { buffer, count in
            if let start = buffer.baseAddress { count = unsafe presign_tls_session_protocol(pointer, start) }
        }
    }

    /// The SHA-256 of the peer's certificate in DER; nil if the peer sent none.
    package var peerFingerprint: [UInt8]? {
        guard let certificate = unsafe presign_tls_peer_certificate(pointer) else { return nil }
        defer { unsafe presign_tls_certificate_free(certificate) }
        var digest = [UInt8](repeating: 0, count: 32)
        return unsafe presign_tls_certificate_fingerprint(certificate, &digest) ? digest : nil
    }
}
