import HTTP1
import System

/// Reading and writing, with or without TLS.
extension EventLoop where Queue: ~Copyable {
    /// Starts TLS on a new connection. Returns false if no session can be created.
    mutating func beginTLS(_ index: Int) -> Bool {
        guard let (settings, version) = transport.tls?.settings(), let socket = slots[index].socket else {
            return false
        }
        slots[index].session = settings.session(over: socket)
        slots[index].settings = version
        return slots[index].session != nil
    }

    /// Whether TLS must write before the connection can be read.
    func readsWhenWritable(_ index: Int) -> Bool {
        slots[index].readsAfterWriting && slots[index].connection.phase == .reading
    }

    /// Reads into the loop's buffer.
    mutating func receive(_ index: Int) -> Socket.Outcome {
        // While lingering, the input is discarded, so it is not decrypted.
        guard let session = slots[index].session, slots[index].connection.phase == .reading else {
            return slots[index].socket?.receive(into: &request.headers.bytes) ?? .bytes(0)
        }
        if !session.isEstablished { guard continueHandshake(session, index) else { return .blocked } }
        // The settings may also have changed since the handshake began.
        guard isStillAccepted(session, index) else { return .failed(.brokenProtocol) }
        slots[index].readsAfterWriting = false
        var span = request.headers.bytes.mutableSpan
        switch session.read(into: &span) {
        case .done(let count): return .bytes(count)
        case .closed: return .bytes(0)
        case .wantsRead: return .blocked
        case .wantsWrite:
            slots[index].readsAfterWriting = true
            return .blocked
        case .cut, .failed: return .failed(.brokenProtocol)
        }
    }

    /// Takes one step of the handshake. Returns true once it is complete; ends the connection if it fails.
    private mutating func continueHandshake(_ session: TLSSession, _ index: Int) -> Bool {
        // Polling is level-triggered with TLS, so the next iteration reports the socket again.
        guard transport.handshakes > 0 else { return false }
        transport.handshakes -= 1
        slots[index].readsAfterWriting = false
        switch session.handshake() {
        case .done:
            slots[index].connection.certificate = session.peerCertificate
            return true
        case .wantsRead: break
        case .wantsWrite: slots[index].readsAfterWriting = true
        case .closed, .cut: slots[index].connection.endWithoutResponse(context)
        case .failed(let failure):
            report(failure, index)
            if session.metHTTP {
                slots[index].session = nil
                let request = HTTPFailedRequest(from: slots[index].connection.peer)
                slots[index].connection.fail(.plainHTTP, of: request, omitsBody: session.metHEAD, &context)
            } else {
                // Lingers, because closing at once could discard the alert before the client reads it.
                slots[index].connection.endWithoutResponse(context)
            }
        }
        return false
    }

    /// Whether to serve further requests of an established session. The client's certificate, if any, must be valid
    /// now. After a change of the accepted clients, the new settings must also accept the certificate, or its absence.
    private mutating func isStillAccepted(_ session: TLSSession, _ index: Int) -> Bool {
        if let certificate = slots[index].connection.certificate {
            guard certificate.validity.contains(context.wallClock()) else { return false }
        }
        guard let tls = transport.tls, !tls.isCurrent(slots[index].settings) else { return true }
        let (settings, version) = tls.settings()
        do throws(TLSFailure) {
            try session.isAccepted(by: settings)
            slots[index].settings = version
            return true
        } catch {
            report(error, index)
            return false
        }
    }

    private func report(_ failure: TLSFailure, _ index: Int) {
        transport.tls?.report(failure, slots[index].connection.peer)
    }

    /// Sends as many bytes of `part` as the socket takes.
    func send(_ index: Int, _ bytes: [UInt8], _ part: Range<Int>) -> Socket.Outcome {
        guard let session = slots[index].session else { return slots[index].socket?.send(bytes, part) ?? .bytes(0) }
        return Self.send(bytes.span.extracting(part), through: session)
    }

    /// Sends the next piece of a file.
    mutating func advance(_ transfer: FileTransfer, _ index: Int) -> Socket.Outcome {
        if let session = slots[index].session { return transfer.advance { Self.send($0, through: session) } }
        return slots[index].socket.map { transfer.advance(to: $0) } ?? .bytes(0)
    }

    private static func send(_ bytes: Span<UInt8>, through session: TLSSession) -> Socket.Outcome {
        var sent = 0
        while sent < bytes.count {
            switch session.write(bytes.extracting(sent..<bytes.count)) {
            case .done(let count): sent += count
            case .wantsWrite: return sent > 0 ? .bytes(sent) : .blocked
            // After the handshake, a write never waits for input.
            case .wantsRead, .closed, .cut, .failed: return .failed(.brokenProtocol)
            }
        }
        return .bytes(sent)
    }

    /// Sends the closing alert if the socket takes it at once.
    mutating func endTLS(_ session: TLSSession, _ socket: Socket) {
        session.shutdown()
        // Closing with unread input sends RST and can discard response bytes in flight.
        _ = socket.receive(into: &request.headers.bytes)
    }
}
