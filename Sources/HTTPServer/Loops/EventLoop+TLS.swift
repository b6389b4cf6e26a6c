import HTTP1
import System
import TLS

/// Reading and writing, with TLS or without.
extension EventLoop where Queue: ~Copyable {
    /// Makes a new connection one with TLS; false without memory for that.
    mutating func secure(_ index: Int) -> Bool {
        guard let (settings, version) = transport.tls?.settings() else { return false }
        slots[index].session = settings.session(over: slots[index].descriptor)
        slots[index].settings = version
        return slots[index].session != nil
    }

    /// Whether a connection that would be read from has to be written to first.
    func awaitsReading(_ index: Int) -> Bool {
        slots[index].readsAfterWriting && slots[index].connection.phase == .reading
    }

    /// Reads into the loop's buffer.
    mutating func receive(_ index: Int) -> Socket.Outcome {
        // What is thrown away need not be understood.
        guard let session = slots[index].session, slots[index].connection.phase == .reading else {
            return Socket.receive(slots[index].descriptor, into: &request.headers.bytes)
        }
        if !session.isEstablished { guard shakeHands(session, index) else { return .blocked } }
        // A handshake may have begun before a change, too.
        guard isStillAccepted(session, index) else { return .failed }
        slots[index].readsAfterWriting = false
        var span = request.headers.bytes.mutableSpan
        switch session.read(into: &span) {
        case .done(let count): return .bytes(count)
        case .closed: return .bytes(0)
        case .wantsRead: return .blocked
        case .wantsWrite:
            slots[index].readsAfterWriting = true
            return .blocked
        case .cut, .failed: return .failed
        }
    }

    /// Takes a step of the handshake; true when it is done. Of a client with which there will be none, the connection is
    /// about to end.
    private mutating func shakeHands(_ session: TLSSession, _ index: Int) -> Bool {
        // The socket stays ready, and is reported again in the next iteration.
        guard transport.handshakes > 0 else { return false }
        transport.handshakes -= 1
        slots[index].readsAfterWriting = false
        switch session.handshake() {
        case .done:
            slots[index].connection.certificate = session.peerCertificate
            return true
        case .wantsRead: break
        case .wantsWrite: slots[index].readsAfterWriting = true
        case .closed, .cut: slots[index].connection.endUnanswered(context)
        case .failed(let failure):
            tell(of: failure, index)
            if session.metHTTP {
                slots[index].session = nil
                let request = HTTPFailedRequest(from: slots[index].connection.peer)
                slots[index].connection.fail(.plainHTTP, of: request, omitsBody: session.metHEAD, &context)
            } else {
                // The alert is on its way; closing now could overtake it.
                slots[index].connection.endUnanswered(context)
            }
        }
        return false
    }

    /// Whether requests of an established session are still served. Its certificate, if any, must be valid now; after a
    /// change of who is accepted, the new settings must accept the client as well, with or without a certificate.
    private mutating func isStillAccepted(_ session: TLSSession, _ index: Int) -> Bool {
        if let certificate = slots[index].connection.certificate {
            guard certificate.validity.contains(WallClock.seconds()) else { return false }
        }
        guard let tls = transport.tls, !tls.isCurrent(slots[index].settings) else { return true }
        let (settings, version) = tls.settings()
        do throws(TLSFailure) {
            try session.isAccepted(by: settings)
            slots[index].settings = version
            return true
        } catch {
            tell(of: error, index)
            return false
        }
    }

    private func tell(of failure: TLSFailure, _ index: Int) {
        transport.tls?.tell(of: failure, from: slots[index].connection.peer)
    }

    /// Sends what it can of `bytes` from `start` on.
    func send(_ index: Int, _ bytes: [UInt8], _ part: Range<Int>) -> Socket.Outcome {
        guard let session = slots[index].session else {
            return Socket.send(slots[index].descriptor, bytes, part)
        }
        return Self.send(bytes.span.extracting(part), through: session)
    }

    /// Sends what it can of a file.
    mutating func advance(_ transfer: FileTransfer, _ index: Int) -> Socket.Outcome {
        guard let session = slots[index].session else { return transfer.advance(to: slots[index].descriptor) }
        return transfer.advance(through: &request.headers.bytes) { Self.send($0, through: session) }
    }

    private static func send(_ bytes: Span<UInt8>, through session: TLSSession) -> Socket.Outcome {
        var sent = 0
        while sent < bytes.count {
            switch session.write(bytes.extracting(sent..<bytes.count)) {
            case .done(let count): sent += count
            case .wantsWrite: return sent > 0 ? .bytes(sent) : .blocked
            // After the handshake a write never waits for the other side.
            case .wantsRead, .closed, .cut, .failed: return .failed
            }
        }
        return .bytes(sent)
    }

    /// Says that nothing follows, as far as that can be said without waiting.
    mutating func end(_ session: TLSSession, _ index: Int) {
        session.shutdown()
        // What has come unread would turn the close into a reset, which may overtake an answer.
        _ = Socket.receive(slots[index].descriptor, into: &request.headers.bytes)
    }
}
