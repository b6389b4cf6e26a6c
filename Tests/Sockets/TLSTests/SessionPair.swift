import Glibc
import SocketTestSupport
import TLS

/// A client's and a server's session, joined by a pair of sockets and driven in turns by one thread.
final class SessionPair {
    let client: TLSSession
    let server: TLSSession
    /// The client's end and the server's.
    let sockets: [Int32]

    /// - Parameter descriptors: a joined, non-blocking pair, which this closes.
    init(_ clientTLS: ClientTLS, _ serverTLS: ServerTLS, host: String = "localhost") throws {
        sockets = try Self.joined()
        client = try clientTLS.session(with: host, over: sockets[0])
        guard let session = serverTLS.session(over: sockets[1]) else { throw RawClient.Failure(description: "memory") }
        server = session
    }

    deinit { for socket in sockets { close(socket) } }

    static func joined() throws -> [Int32] {
        var pair: [Int32] = [0, 0]
        // unsafe: the call fills the two elements.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
        guard result == 0 else { throw RawClient.Failure(description: "socketpair: \(errno)") }
        return pair
    }

    /// What both sides' handshakes come to, after as many turns as they need.
    func shakeHands() -> (client: TLSSession.Outcome, server: TLSSession.Outcome) {
        var (mine, theirs) = (TLSSession.Outcome.wantsRead, TLSSession.Outcome.wantsRead)
        for _ in 0..<16 {
            if Self.isOpen(mine) { mine = client.handshake() }
            if Self.isOpen(theirs) { theirs = server.handshake() }
        }
        return (mine, theirs)
    }

    private static func isOpen(_ outcome: TLSSession.Outcome) -> Bool {
        outcome == .wantsRead || outcome == .wantsWrite
    }

    /// The record in which the client would send these bytes, in place of that.
    func record(of bytes: [UInt8]) throws -> [UInt8] {
        let (aside, wire) = (try Self.joined(), dup(sockets[0]))
        defer { for descriptor in aside + [wire] { close(descriptor) } }
        dup2(aside[0], sockets[0])
        defer { dup2(wire, sockets[0]) }
        guard client.write(bytes.span) == .done(bytes.count) else { throw RawClient.Failure(description: "unsent") }
        var record = [UInt8](repeating: 0, count: 1024)
        // unsafe: the array's own bytes.
        let count = unsafe record.withUnsafeMutableBytes { unsafe recv(aside[1], $0.baseAddress, $0.count, 0) }
        return Array(record.prefix(max(0, count)))
    }

    /// Puts bytes on the client's wire.
    func send(_ bytes: ArraySlice<UInt8>) {
        // unsafe: the array's own bytes.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.send(sockets[0], $0.baseAddress, $0.count, 0) }
    }

    /// What the reader gets, and the step that ends it. A ticket is a step without bytes, too, so a few of those may
    /// come before any.
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
    /// The server of the shared certificates.
    static func make(
        _ issued: CertificateAuthority.Issued? = nil, clients: ServerTLS.Clients? = nil
    ) throws -> ServerTLS {
        let issued = try issued ?? TestCertificates.shared.server
        return try ServerTLS(
            chain: bytes(of: issued.certificate), key: bytes(of: issued.key), clients: clients)
    }
}

extension ClientTLS {
    /// A client that trusts the shared authority.
    static func make() throws -> ClientTLS {
        try ClientTLS(trusting: .file(TestCertificates.shared.servers.certificate))
    }
}
