internal import COpenSSL
import Text

/// The TLS session of a connection over a non-blocking socket. No step blocks.
///
/// A session must be used by one thread at a time.
@safe
package final class TLSSession {
    /// The result of a step.
    package enum Outcome: Equatable, Sendable {
        /// The number of bytes read or written, at least one; 1 for a step that transfers none.
        case done(Int)
        /// The peer ended its output with a close_notify alert.
        case closed
        /// Retry when the socket is readable.
        case wantsRead
        /// Retry when the socket is writable. A write must start with the same bytes.
        case wantsWrite
        /// The connection ended without a close_notify alert, so data may be missing.
        case cut
        /// The session failed and cannot be used any more.
        case failed(TLSFailure)
    }

    /// OpenSSL's session, which lives as long as this object.
    package let pointer: OpaquePointer
    /// The session uses its descriptor.
    private let socket: Socket
    /// Whether the handshake is complete.
    package private(set) var isEstablished = false
    /// Whether the handshake failed because the client sent plain HTTP.
    package private(set) var metHTTP = false
    /// Whether that request is HEAD.
    package var metHEAD: Bool { unsafe metHTTP && presign_tls_session_received_head(pointer) }
    /// Set by a failure, after which OpenSSL does not allow a shutdown.
    private var isBroken = false
    private var hasEnded = false

    package init?(_ context: TLSContext, over socket: Socket, isServer: Bool) {
        // unsafe: the context is alive, and the session retains it.
        let created = unsafe presign_tls_session_create(context.pointer, socket.descriptor, isServer)
        guard let created = unsafe created else { return nil }
        unsafe pointer = created
        self.socket = socket
    }

    deinit {
        // unsafe: this releases the reference that `init` acquired.
        unsafe presign_tls_session_free(pointer)
    }

    // unsafe, below: this object keeps the session alive, one thread uses it, and bytes are accessed only during a
    // call.

    /// Sets the host that the server's certificate must be for. Call this before the handshake.
    package func expect(_ host: String, isAddress: Bool) -> Bool {
        unsafe presign_tls_session_expect(pointer, host, isAddress)
    }

    /// Continues the handshake.
    package func handshake() -> Outcome {
        let result = unsafe presign_tls_session_handshake(pointer)
        isEstablished = result > 0
        return outcome(result)
    }

    /// Reads available bytes, at most one record (16 KiB).
    package func read(into bytes: inout MutableSpan<UInt8>) -> Outcome {
        let result = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int(PRESIGN_TLS_FAILED) }
            return unsafe presign_tls_session_read(pointer, start, bytes.count)
        }
        return outcome(result)
    }

    /// Writes some of the bytes, at most one record (16 KiB).
    package func write(_ bytes: Span<UInt8>) -> Outcome {
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int(PRESIGN_TLS_FAILED) }
            return unsafe presign_tls_session_write(pointer, start, bytes.count)
        }
        return outcome(result)
    }

    /// Sends a close_notify alert once, which ends the output. Reading may continue.
    @discardableResult
    package func shutdown() -> Outcome {
        guard isEstablished, !isBroken, !hasEnded else { return .done(1) }
        let result = unsafe presign_tls_session_shutdown(pointer)
        hasEnded = result > 0
        return outcome(Int(result))
    }

    /// Whether part of a record has been received but not yet returned by `read`.
    package var isWithinRecord: Bool { unsafe presign_tls_session_is_within_record(pointer) }

    /// The peer's certificate, verified by the handshake; nil if the peer sent none.
    package var peerCertificate: PeerCertificate? {
        guard let certificate = unsafe presign_tls_peer_certificate(pointer) else { return nil }
        defer { unsafe presign_tls_certificate_free(certificate) }
        return unsafe PeerCertificate(certificate)
    }

    /// Checks that other settings would accept the client, with or without a certificate.
    ///
    /// - Throws: the reason why they would reject it.
    package func isAccepted(by server: ServerTLS) throws(TLSFailure) {
        var reason = presign_tls_reason()
        guard unsafe presign_tls_session_is_accepted(pointer, server.context.pointer, &reason) else {
            throw TLSFailure(reason)
        }
    }

    private func outcome(_ result: some FixedWidthInteger) -> Outcome {
        if result > 0 { return .done(Int(result)) }
        switch Int(result) {
        case Int(PRESIGN_TLS_CLOSED): return .closed
        case Int(PRESIGN_TLS_WANTS_READ): return .wantsRead
        case Int(PRESIGN_TLS_WANTS_WRITE): return .wantsWrite
        case Int(PRESIGN_TLS_CUT):
            isBroken = true
            return .cut
        default:
            isBroken = true
            metHTTP = Int(result) == Int(PRESIGN_TLS_IS_HTTP)
            var reason = presign_tls_reason()
            // unsafe: this object keeps the session alive, and the call writes the local structure.
            unsafe presign_tls_session_reason(pointer, &reason)
            return .failed(TLSFailure(reason))
        }
    }
}

extension PeerCertificate {
    @unsafe
    fileprivate convenience init(_ certificate: OpaquePointer) {
        var (begins, ends) = (Int64(0), Int64(0))
        // unsafe: the caller keeps the certificate alive, and the calls write only to local variables.
        let isRead = unsafe presign_tls_certificate_validity(certificate, &begins, &ends)
        self.init(
            names: unsafe [
                .uri: Self.name(certificate, PRESIGN_TLS_NAME_URI), .dns: Self.name(certificate, PRESIGN_TLS_NAME_DNS),
                .email: Self.name(certificate, PRESIGN_TLS_NAME_EMAIL),
            ], validity: isRead && begins < ends ? begins..<ends : 0..<0)
    }

    @unsafe
    private static func name(_ certificate: OpaquePointer, _ kind: some BinaryInteger) -> Name {
        var count: Int32 = 0
        // unsafe: the caller keeps the certificate alive, and the call writes at most `count` bytes to the buffer.
        let name = unsafe [UInt8](unsafeUninitializedCapacity: longestName) { buffer, size in
            if let start = buffer.baseAddress {
                count = unsafe presign_tls_certificate_name(certificate, Int32(kind), start, buffer.count, &size)
            }
        }
        switch count {
        case 0: return .none
        case 1: return !name.isEmpty && name.allSatisfy(ASCII.isVisible) ? .one(Array(name)) : .unusable
        case 2...: return .several
        default: return .unusable
        }
    }
}
