import Glibc
import SocketTestSupport

/// The client's end of a connection: a real socket, of which the client decides how many bytes it sends and reads.
final class SimulatedConnection {
    /// The name of the client's socket, by which the server's is found.
    let name: [UInt8]
    private let descriptor: Int32
    /// Nil without TLS.
    let session: SimulatedSession?
    /// Encrypted bytes that are not sent yet.
    private var outgoing: [UInt8] = []
    /// The number of bytes that the socket has taken.
    private var sentCount = 0
    /// With TLS: the numbers of bytes sent after which the server can read that many bytes of requests.
    private var records: [(end: Int, content: Int)] = []
    /// Whether the client has ended its sending direction.
    private(set) var isFinished = false
    private var (sending, receiving) = (Halves(), Halves())
    /// What the client has read.
    private var received: [UInt8] = []
    /// The responses that the server has produced, read or not. With TLS, those that were read.
    private(set) var produced: [UInt8] = []
    /// The number of bytes of requests that the server has read.
    private(set) var readCount = 0
    /// The server's entry of the connection; nil until it is accepted.
    var slot: (index: Int, generation: UInt32)?
    /// The settings of the server when it accepted the connection.
    var acceptedWith: SimulatedCertificates.Settings?
    /// When the client's certificate expires, in seconds since 1970; nil before the handshake and without one.
    var certificateEnd: Int64?
    /// Whether every state of the server so far accepts the client.
    var wasAlwaysAccepted = true
    /// The authority of the client's certificate.
    private let certificate: SimulatedCertificates.Authority?
    /// Whether neither side has closed the connection.
    private(set) var isOpen = true

    /// - Parameters:
    ///   - path: the path of the server's socket.
    ///   - certificate: the authority of the client's certificate; nil without one.
    init(path: String, _ session: SimulatedSession?, _ certificate: SimulatedCertificates.Authority?) throws {
        (self.session, self.certificate) = (session, certificate)
        descriptor = SocketCalls.create()
        guard SocketCalls.connect(descriptor, to: path) else {
            let code = errno
            Glibc.close(descriptor)
            throw RawClient.Failure(description: "connect: \(code)")
        }
        name = SocketCalls.name(of: descriptor, isPeer: false)
        SocketCalls.limitSendBuffer(of: descriptor, to: 16 * 1024)
    }

    deinit { close() }

    /// Whether the server must accept the client at this time, in seconds since 1970, with these settings.
    func isAccepted(at time: Int64, _ settings: SimulatedCertificates.Settings) -> Bool {
        guard session != nil, let acceptedWith else { return true }
        // A certificate that the server has not requested is not known to it.
        let known = acceptedWith.accepted == nil ? nil : certificate
        return acceptedWith.accept(known) && settings.accept(known) && certificateEnd.map { time < $0 } != false
    }

    /// Closes the socket. Unread responses make that a reset.
    func close() {
        guard isOpen else { return }
        isOpen = false
        Glibc.close(descriptor)
    }

    /// Ends the sending direction.
    func finishSending() {
        guard isOpen, !isFinished else { return }
        isFinished = true
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Whether the server has not accepted the connection yet.
    var isWaiting: Bool { isOpen && slot == nil }

    /// Sends at most `count` bytes to the network. Returns how many of `bytes` need not be sent again.
    func send(_ bytes: ArraySlice<UInt8>, atMost count: Int) -> Int {
        guard isOpen, !isFinished else { return 0 }
        guard let session else {
            let taken = SocketCalls.send(bytes.prefix(count), to: descriptor)
            sentCount += taken
            return taken
        }
        session.shakeHands()
        sendRecords(of: session, atMost: count)
        guard session.isEstablished, outgoing.isEmpty, !bytes.isEmpty else { return 0 }
        let taken = session.write(bytes.prefix(count))
        outgoing = session.output()
        records.append((sentCount + outgoing.count, (records.last?.content ?? 0) + taken))
        sendRecords(of: session, atMost: count)
        return taken
    }

    private func sendRecords(of session: SimulatedSession, atMost count: Int) {
        outgoing += session.output()
        let sent = SocketCalls.send(outgoing.prefix(sending.part(of: outgoing.count, count)), to: descriptor)
        outgoing.removeFirst(sent)
        sentCount += sent
    }

    /// Lets the client read at most `count` bytes.
    func receive(atMost count: Int) {
        guard isOpen else { return }
        let unread = SocketCalls.unreadCount(of: descriptor)
        guard let session else {
            received += SocketCalls.receive(from: descriptor, atMost: min(count, unread))
            return
        }
        let bytes = SocketCalls.receive(from: descriptor, atMost: receiving.part(of: unread, count))
        guard !bytes.isEmpty else { return }
        received += session.take(bytes)
        produced = received
        // The handshake continues.
        if !isFinished { sendRecords(of: session, atMost: count) }
    }

    /// Notes what the server has read and produced.
    ///
    /// - Parameters:
    ///   - unread: what has arrived at the server's socket and is not read.
    ///   - unsent: what the server's socket has not taken yet.
    /// - Returns: what is wrong, if anything is.
    func observe(unread: Int, unsent: ArraySlice<UInt8>) -> String? {
        noteRead(sentCount - unread)
        let count = received.count + SocketCalls.unreadCount(of: descriptor) + unsent.count
        guard session == nil, count != produced.count else { return nil }
        let all = seen + unsent
        guard all.starts(with: produced) else { return "bytes of responses are lost, or sent again" }
        produced = all
        return nil
    }

    /// Takes the end of the connection at the server's side. Returns what is wrong, if anything is.
    func observeEnd() -> String? {
        noteRead(sentCount)
        receive(atMost: .max)
        defer { close() }
        guard session == nil else { return nil }
        // The server may have dropped what the client did not read in time.
        let isCut = produced.starts(with: received) && received.count < produced.count
        guard isCut || received.starts(with: produced) else { return "bytes of responses are lost, or sent again" }
        if !isCut { produced = received }
        return nil
    }

    /// Whether the server has closed the connection.
    var hasHungUp: Bool { isOpen && SocketCalls.hasHungUp(descriptor) }

    /// What the client has read or could read.
    private var seen: [UInt8] {
        received + SocketCalls.receive(from: descriptor, atMost: SocketCalls.unreadCount(of: descriptor), isPeek: true)
    }

    /// With TLS, the numbers of bytes vary a little with each run, for example those of a signature. So the client moves
    /// half of them or all, and a seed has the same history in each run.
    private struct Halves {
        private var isHalf = false

        mutating func part(of bytes: Int, _ count: Int) -> Int {
            isHalf = !isHalf && count < 1000
            return isHalf ? (bytes + 1) / 2 : bytes
        }
    }

    private func noteRead(_ count: Int) {
        readCount = session == nil ? count : records.last { $0.end <= count }?.content ?? 0
    }
}
