import Glibc
import SocketTestSupport
import System

/// A client's TLS session, whose records the simulated network carries in pieces.
final class SimulatedSession {
    private let session: TLSSession
    /// The other end of the session's socket.
    private let wire: Int32
    /// Why the session failed; nil if it has not.
    private(set) var failure: TLSFailure?

    /// - Parameter certificate: what the client presents if the server requests it; nil for none.
    init(_ tls: ClientTLS, presenting certificate: CertificateAuthority.Issued?) throws {
        guard let (own, wire) = SocketCalls.pair() else { throw RawClient.Failure(description: "socketpair: \(errno)") }
        self.wire = wire
        session = try tls.session(with: "localhost", over: Socket(owning: own))
        if let certificate { try session.present(certificate) }
    }

    deinit { close(wire) }

    var isEstablished: Bool { session.isEstablished && failure == nil }

    /// Continues the handshake.
    func shakeHands() { if !session.isEstablished { note(session.handshake()) } }

    /// Encrypts some of the bytes. Returns their number.
    func write(_ bytes: ArraySlice<UInt8>) -> Int {
        let outcome = session.write(Array(bytes).span)
        note(outcome)
        if case .done(let count) = outcome { return count }
        return 0
    }

    /// The encrypted bytes to send.
    func output() -> [UInt8] { SocketCalls.receive(from: wire, atMost: SocketCalls.unreadCount(of: wire)) }

    /// Takes encrypted bytes that have arrived, and returns the content of complete records.
    func take(_ bytes: [UInt8]) -> [UInt8] {
        _ = SocketCalls.send(bytes[...], to: wire)
        shakeHands()
        guard isEstablished else { return [] }
        var (content, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16 * 1024))
        // A session ticket is a step without content.
        var waits = 0
        while waits < 4 {
            var span = buffer.mutableSpan
            let outcome = session.read(into: &span)
            note(outcome)
            guard case .done(let count) = outcome else {
                waits += outcome == .wantsRead ? 1 : 4
                continue
            }
            content += buffer[..<count]
        }
        return content
    }

    private func note(_ outcome: TLSSession.Outcome) {
        if case .failed(let failure) = outcome { self.failure = self.failure ?? failure }
    }
}
