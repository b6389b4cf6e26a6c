internal import COpenSSL

extension ClientTLS {
    /// Shakes hands, sends a request, and reads the answer. Blocks the thread until then, but never beyond the deadline.
    ///
    /// - Parameters:
    ///   - request: all that is sent.
    ///   - host: as of `session(with:over:)`.
    ///   - descriptor: a connected, non-blocking socket; it stays open.
    ///   - deadline: of all of it.
    ///   - receive: takes each piece of the answer, and returns true when that was the last. It may be more than the last.
    /// - Returns: whether the answer is whole: `receive` said so, or the server said that it sends no more. False: the
    ///   connection ended without that, so that an answer whose length nothing else tells may have lost its end.
    /// - Throws: what went wrong; nothing is sent before the server's certificate has been verified.
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

/// Waits for a socket to go on with a step.
private struct SocketWait {
    let descriptor: Int32
    let deadline: ContinuousClock.Instant

    /// Whether the step has done something; if not, returns when it may be tried again.
    ///
    /// - Throws: when it never will, and after the deadline.
    func isDone(_ outcome: TLSSession.Outcome) throws(TLSFailure) -> Bool {
        switch outcome {
        case .done: return true
        case .wantsRead: try wait(forWriting: false)
        case .wantsWrite: try wait(forWriting: true)
        case .closed, .cut: throw TLSFailure("the connection was closed")
        case .failed(let failure): throw failure
        }
        return false
    }

    private func wait(forWriting: Bool) throws(TLSFailure) {
        let left = (deadline - .now).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { throw TLSFailure("it took too long") }
        let ready = presign_tls_wait(descriptor, forWriting, Int32(min(milliseconds, 60_000)))
        guard ready >= 0 else { throw TLSFailure("the connection cannot be waited for") }
    }
}
