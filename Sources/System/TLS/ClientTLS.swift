internal import COpenSSL
import Text

/// The TLS 1.2 and 1.3 settings of a client. Immutable.
package final class ClientTLS: Sendable {
    /// The certificate authorities that a client trusts.
    package enum Trust: Sendable, Equatable {
        /// The system's authorities, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` point to.
        case system
        /// The authorities in a PEM file.
        case file(String)
        /// No verification: any server is accepted. Only for a health check on this machine, which sends no secrets.
        case anyone
    }

    private let context: TLSContext

    /// - Throws: if the file cannot be read or contains no authorities.
    package init(trusting trust: Trust) throws(TLSFailure) {
        // unsafe: each call returns a new context with one reference, and reads the path only during the call.
        context = try unsafe TLSContext { reason in
            switch trust {
            case .system: unsafe presign_tls_client_create(nil, true, &reason)
            case .file(let path): unsafe presign_tls_client_create(path, true, &reason)
            case .anyone: unsafe presign_tls_client_create(nil, false, &reason)
            }
        }
    }

    /// Creates a session over a connection.
    ///
    /// - Parameters:
    ///   - host: the host that the server's certificate must be for: a DNS name, which is also sent (RFC 6066 section
    ///     3), or the text of an IP address without brackets.
    ///   - socket: a connected socket.
    /// - Throws: if the host is not valid or memory is exhausted.
    package func session(with host: String, over socket: Socket) throws(TLSFailure) -> TLSSession {
        // A C string would end at a NUL.
        guard !host.isEmpty, !host.utf8.contains(0) else {
            throw TLSFailure("the host name is empty or contains a NUL")
        }
        guard let session = TLSSession(context, over: socket, isServer: false),
            session.expect(host, isAddress: Self.isAddress(host))
        else { throw TLSFailure("the session could not be created") }
        return session
    }

    /// Whether the host is an IP address. A DNS name does not contain a colon, and its last label is not a number (RFC
    /// 1123 section 2.1).
    private static func isAddress(_ host: String) -> Bool {
        let last = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).last ?? ""[...].utf8
        return host.utf8.contains(UInt8(ascii: ":"))
            || (!last.isEmpty && last.allSatisfy(ASCII.isDigit))
    }

    /// Performs the handshake, sends a request and reads the response. Blocks until the deadline at most. Nothing is
    /// sent before the server's certificate has been verified.
    ///
    /// - Parameters:
    ///   - request: the bytes to send.
    ///   - host: as in `session(with:over:)`.
    ///   - socket: a connected socket.
    ///   - deadline: for the whole exchange.
    ///   - receive: called with each piece of the response; returns true when the response is complete.
    /// - Returns: true if `receive` returned true or the server closed the session with a close_notify alert. False if
    ///   the connection ended without either, so a response without a declared length may be truncated.
    package func exchange(
        _ request: [UInt8], with host: String, over socket: Socket, until deadline: MonotonicTime,
        receive: (Span<UInt8>) -> Bool
    ) throws(TLSFailure) -> Bool {
        let session = try session(with: host, over: socket)
        let wait = SocketWait(socket: socket, deadline: deadline)
        while try !wait.isDone(session.handshake()) {}
        var sent = 0
        while sent < request.count {
            let outcome = session.write(request.span.extracting(sent..<request.count))
            if try wait.isDone(outcome), case .done(let count) = outcome { sent += count }
        }
        defer { session.shutdown() }
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        while true {
            var span = buffer.mutableSpan
            let outcome = session.read(into: &span)
            switch outcome {
            case .closed: return true
            case .cut: return false
            case .done(let count): if receive(buffer.span.extracting(0..<count)) { return true }
            case .wantsRead, .wantsWrite, .failed: _ = try wait.isDone(outcome)
            }
        }
    }
}

/// Waits for a socket until a step can be retried.
private struct SocketWait {
    let socket: Socket
    let deadline: MonotonicTime

    /// Returns true if the step made progress; otherwise waits until it can be retried and returns false.
    ///
    /// - Throws: if the step failed, or after the deadline.
    func isDone(_ outcome: TLSSession.Outcome) throws(TLSFailure) -> Bool {
        switch outcome {
        case .done: return true
        case .wantsRead: try wait(forWriting: false)
        case .wantsWrite: try wait(forWriting: true)
        case .closed, .cut: throw TLSFailure("the server closed the connection")
        case .failed(let failure): throw failure
        }
        return false
    }

    private func wait(forWriting: Bool) throws(TLSFailure) {
        let left = deadline.milliseconds(from: .now())
        guard left > 0 else { throw TLSFailure("the exchange timed out") }
        do throws(SystemError) {
            _ = try socket.wait(toWrite: forWriting, milliseconds: left)
        } catch {
            throw TLSFailure("waiting for the connection failed: \(error)")
        }
    }
}
