internal import COpenSSL

/// One connection's TLS, over a non-blocking socket. No step ever blocks.
///
/// It belongs to one thread at a time. The socket is not its own: who closes it must have stopped using the session.
@safe
package final class TLSSession {
    /// What a step comes to.
    package enum Outcome: Equatable, Sendable {
        /// Bytes taken or given, at least one; 1 of a step that moves none.
        case done(Int)
        /// The peer has said that it sends no more.
        case closed
        /// To be tried again when the socket is readable.
        case wantsRead
        /// To be tried again when the socket is writable; a write with the same bytes first.
        case wantsWrite
        /// The connection ended, without the peer having said that it would: something may be missing.
        case cut
        /// Nothing can be done with the session any more.
        case failed(TLSFailure)
    }

    private let pointer: OpaquePointer
    /// Whether the handshake is done.
    package private(set) var isEstablished = false
    /// Whether the other side is known to speak HTTP and no TLS; the handshake has failed then.
    package private(set) var metHTTP = false
    /// Whether it has sent a HEAD request.
    package var metHEAD: Bool { unsafe metHTTP && presign_tls_session_met_head(pointer) }
    /// After a failure the peer is not told that the session ends, as OpenSSL demands.
    private var isBroken = false
    private var hasEnded = false

    package init?(_ context: TLSContext, over descriptor: Int32, isServer: Bool) {
        // unsafe: the context is alive, and the session counts a reference to it.
        guard let made = unsafe presign_tls_session_create(context.pointer, descriptor, isServer) else { return nil }
        unsafe pointer = made
    }

    deinit {
        // unsafe: this is the one reference that `init` got.
        unsafe presign_tls_session_free(pointer)
    }

    // unsafe, below: the session is alive and used by this thread alone; the bytes are those of a span, for the time of a
    // call.

    /// Asks for the certificate of a host; before the handshake.
    package func expect(_ host: String, isAddress: Bool) -> Bool {
        unsafe presign_tls_session_expect(pointer, host, isAddress)
    }

    /// Goes on with the handshake.
    package func handshake() -> Outcome {
        let result = unsafe presign_tls_session_handshake(pointer)
        isEstablished = result > 0
        return outcome(result)
    }

    /// Reads what has come, at most one record (16 KiB).
    package func read(into bytes: inout MutableSpan<UInt8>) -> Outcome {
        let result = unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int(TRANSPORT_FAILED) }
            return unsafe presign_tls_session_read(pointer, start, bytes.count)
        }
        return outcome(result)
    }

    /// Sends some of the bytes, at most one record (16 KiB).
    package func write(_ bytes: Span<UInt8>) -> Outcome {
        let result = unsafe bytes.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return Int(TRANSPORT_FAILED) }
            return unsafe presign_tls_session_write(pointer, start, bytes.count)
        }
        return outcome(result)
    }

    /// Tells the peer that nothing more is sent, once. Reading may go on.
    @discardableResult
    package func shutdown() -> Outcome {
        guard isEstablished, !isBroken, !hasEnded else { return .done(1) }
        let result = unsafe presign_tls_session_shutdown(pointer)
        hasEnded = result > 0
        return outcome(Int(result))
    }

    /// Whether bytes of a record have been received that `read` has not given yet.
    package var isWithinRecord: Bool { unsafe presign_tls_session_is_within_record(pointer) }

    /// `TLSv1.3` or `TLSv1.2`.
    package var version: String { unsafe String(cString: presign_tls_session_version(pointer)) }

    /// Whether it goes on from an earlier session.
    package var isResumed: Bool { unsafe presign_tls_session_is_resumed(pointer) }

    /// The protocol that was agreed on; empty without one.
    package var agreedProtocol: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 255) { buffer, count in
            if let start = buffer.baseAddress { count = unsafe presign_tls_session_protocol(pointer, start) }
        }
    }

    /// The certificate that the peer has shown and the handshake verified.
    package var peerCertificate: PeerCertificate? {
        guard let certificate = unsafe presign_tls_peer_certificate(pointer) else { return nil }
        defer { unsafe presign_tls_certificate_free(certificate) }
        return unsafe PeerCertificate(certificate)
    }

    /// Checks that another server's settings would accept the client's certificate, or its lack of one.
    package func isAccepted(by server: ServerTLS) throws(TLSFailure) {
        var reason = presign_tls_reason()
        guard unsafe presign_tls_session_is_accepted(pointer, server.context.pointer, &reason) else {
            throw TLSFailure(reason)
        }
    }

    private func outcome(_ result: some FixedWidthInteger) -> Outcome {
        if result > 0 { return .done(Int(result)) }
        switch Int(result) {
        case Int(TRANSPORT_CLOSED): return .closed
        case Int(TRANSPORT_WANTS_READ): return .wantsRead
        case Int(TRANSPORT_WANTS_WRITE): return .wantsWrite
        case Int(TRANSPORT_CUT):
            isBroken = true
            return .cut
        default:
            isBroken = true
            metHTTP = Int(result) == Int(TRANSPORT_IS_HTTP)
            var reason = presign_tls_reason()
            // unsafe: the session is alive, and the call writes into our value only.
            unsafe presign_tls_session_reason(pointer, &reason)
            return .failed(TLSFailure(reason))
        }
    }
}
