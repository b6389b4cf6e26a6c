import Glibc
import SocketTestSupport
import System

/// A client session and a server session on a socket pair, driven alternately by one thread.
final class SessionPair {
    let client: TLSSession
    let server: TLSSession
    /// The descriptors of the client and of the server, which their sessions close.
    let sockets: [Int32]

    init(_ clientTLS: ClientTLS, _ serverTLS: ServerTLS, host: String = "localhost") throws {
        sockets = try Self.joined()
        client = try clientTLS.session(with: host, over: Socket(owning: sockets[0]))
        guard let session = serverTLS.session(over: Socket(owning: sockets[1])) else {
            throw RawClient.Failure(description: "out of memory")
        }
        server = session
    }

    static func joined() throws -> [Int32] {
        var pair: [Int32] = [0, 0]
        // The call fills the two elements.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
        guard result == 0 else { throw RawClient.Failure(description: "socketpair: \(errno)") }
        return pair
    }

    /// Runs both handshakes to their outcomes.
    func shakeHands() -> (client: TLSSession.Outcome, server: TLSSession.Outcome) {
        var (clientOutcome, serverOutcome) = (TLSSession.Outcome.wantsRead, TLSSession.Outcome.wantsRead)
        for _ in 0..<16 {
            if Self.isOpen(clientOutcome) { clientOutcome = client.handshake() }
            if Self.isOpen(serverOutcome) { serverOutcome = server.handshake() }
        }
        return (clientOutcome, serverOutcome)
    }

    private static func isOpen(_ outcome: TLSSession.Outcome) -> Bool {
        outcome == .wantsRead || outcome == .wantsWrite
    }

    /// The record in which the client would send these bytes, without sending it.
    func record(of bytes: [UInt8]) throws -> [UInt8] {
        let (aside, wire) = (try Self.joined(), dup(sockets[0]))
        defer { for descriptor in aside + [wire] { close(descriptor) } }
        dup2(aside[0], sockets[0])
        defer { dup2(wire, sockets[0]) }
        guard client.write(bytes.span) == .done(bytes.count) else {
            throw RawClient.Failure(description: "nothing was sent")
        }
        var record = [UInt8](repeating: 0, count: 1024)
        // The call reads the array's own bytes.
        let count = unsafe record.withUnsafeMutableBytes { unsafe recv(aside[1], $0.baseAddress, $0.count, 0) }
        return Array(record.prefix(max(0, count)))
    }

    /// Sends raw bytes to the server.
    func send(_ bytes: ArraySlice<UInt8>) {
        // The call reads the array's own bytes.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(sockets[0], $0.baseAddress, $0.count, 0) }
    }

    /// Reads all available bytes; returns them with the outcome that ended the reading. A session ticket is a step
    /// without bytes, so a few of those may come first.
    static func read(from session: TLSSession) -> (bytes: [UInt8], end: TLSSession.Outcome) {
        var (all, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 16 * 1024))
        var waits = 0
        while true {
            var span = buffer.mutableSpan
            let outcome = session.read(into: &span)
            if case .done(let count) = outcome {
                all += buffer[..<count]
            } else {
                waits += 1
                guard outcome == .wantsRead, waits < 4 else { return (all, outcome) }
            }
        }
    }
}

extension ServerTLS {
    /// Creates a server with the shared certificates.
    static func make(
        _ issued: CertificateAuthority.Issued? = nil, clients: ServerTLS.Clients? = nil
    ) throws -> ServerTLS {
        let issued = try issued ?? TestCertificates.shared.server
        return try ServerTLS(
            chain: bytes(of: issued.certificate), key: bytes(of: issued.key), clients: clients)
    }
}

extension ClientTLS {
    /// Creates a client that trusts the shared authority.
    static func make() throws -> ClientTLS {
        try ClientTLS(trusting: .file(TestCertificates.shared.servers.certificate))
    }
}
