internal import COpenSSL

extension ClientTLS {
    /// Performs the handshake, sends a request and reads the response. Blocks until the deadline at most. Nothing is
    /// sent before the server's certificate has been verified.
    ///
    /// - Parameters:
    ///   - request: the bytes to send.
    ///   - host: as in `session(with:over:)`.
    ///   - descriptor: a connected, non-blocking socket. The caller closes it.
    ///   - deadline: for the whole exchange.
    ///   - receive: called with each piece of the response; returns true when the response is complete.
    /// - Returns: true if `receive` returned true or the server closed the session with a close_notify alert. False if
    ///   the connection ended without either, so a response without a declared length may be truncated.
    package func exchange(
        _ request: [UInt8], with host: String, over descriptor: Int32, until deadline: ContinuousClock.Instant,
        receive: (Span<UInt8>) -> Bool
    ) throws(TLSFailure) -> Bool {
        let session = try session(with: host, over: descriptor)
        let wait = SocketWait(descriptor: descriptor, deadline: deadline)
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
    let descriptor: Int32
    let deadline: ContinuousClock.Instant

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
        let left = (deadline - .now).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { throw TLSFailure("the exchange timed out") }
        let ready = presign_tls_wait(descriptor, forWriting, Int32(min(milliseconds, 60_000)))
        guard ready >= 0 else { throw TLSFailure("waiting for the connection failed") }
    }
}
