import Glibc
import SocketTestSupport
import System
import Testing

/// A client and a server session connected to each other.
struct SessionTests {
    @Test func handshakeSelectsTheBestCommonParameters() throws {
        let pair = try SessionPair(.make(), .make())
        let outcomes = pair.shakeHands()
        #expect(outcomes.client == .done(1))
        #expect(outcomes.server == .done(1))
        #expect(pair.server.isEstablished)
        #expect(pair.client.isEstablished)
        #expect(pair.server.version == "TLSv1.3")
        #expect(pair.server.agreedProtocol == Array("http/1.1".utf8))
        #expect(!pair.server.isResumed)
        #expect(pair.server.peerCertificate == nil)
        #expect(pair.client.peerCertificate?.name(.dns) == .one(Array("localhost".utf8)))
    }

    @Test func sendsBytesBothWays() throws {
        let pair = try SessionPair(.make(), .make())
        _ = pair.shakeHands()
        for (sender, receiver) in [(pair.client, pair.server), (pair.server, pair.client)] {
            let text = Array("some words".utf8)
            #expect(sender.write(text.span) == .done(text.count))
            let read = SessionPair.read(from: receiver)
            #expect(read.bytes == text)
            #expect(read.end == .wantsRead)
            #expect(!receiver.isWithinRecord)
        }
    }

    /// A partial write is reported and continues where it stopped.
    @Test func waitsForAFullSocket() throws {
        let pair = try SessionPair(.make(), .make())
        _ = pair.shakeHands()
        _ = SessionPair.read(from: pair.client)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        var (sent, received, blocked) = (0, [UInt8](), 0)
        while received.count < bytes.count {
            send: while sent < bytes.count {
                switch pair.server.write(bytes.span.extracting(sent..<bytes.count)) {
                case .done(let count): sent += count
                case .wantsWrite:
                    blocked += 1
                    break send
                case let other: throw RawClient.Failure(description: "\(other)")
                }
            }
            let read = SessionPair.read(from: pair.client)
            try #require(!read.bytes.isEmpty || sent < bytes.count, "\(read.end)")
            received += read.bytes
        }
        #expect(received == bytes)
        #expect(blocked > 0)
    }

    /// A record larger than the read buffer leaves data in the session, which reports it.
    @Test func reportsBufferedData() throws {
        let pair = try SessionPair(.make(), .make())
        _ = pair.shakeHands()
        #expect(pair.client.write([1, 2, 3, 4, 5].span) == .done(5))
        var few = [UInt8](repeating: 0, count: 2)
        var span = few.mutableSpan
        #expect(pair.server.read(into: &span) == .done(2))
        #expect(few == [1, 2])
        #expect(pair.server.isWithinRecord)
        #expect(SessionPair.read(from: pair.server).bytes == [3, 4, 5])
        #expect(!pair.server.isWithinRecord)
    }

    /// Also if the record is cut after its header, which OpenSSL reads separately.
    @Test(arguments: 1...7) func reportsAPartialRecord(_ count: Int) throws {
        let pair = try SessionPair(.make(), .make())
        _ = pair.shakeHands()
        _ = SessionPair.read(from: pair.server)
        let record = try pair.record(of: [1, 2, 3])
        pair.send(record[..<count])
        #expect(SessionPair.read(from: pair.server).bytes.isEmpty)
        #expect(pair.server.isWithinRecord)
        pair.send(record[count...])
        #expect(SessionPair.read(from: pair.server).bytes == [1, 2, 3])
        #expect(!pair.server.isWithinRecord)
    }

    /// However the first bytes arrive; similar beginnings are not taken for HTTP.
    @Test(
        "Plain HTTP is recognised by its first five bytes",
        arguments: [("HEAD / HTTP/1.1", true), ("HEAR / HTTP/1.1", false), ("GET / HTTP/1.1", false)], 1...5)
    func recognisesPlainHTTP(_ request: (String, Bool), _ count: Int) throws {
        let pair = try SessionPair(.make(), .make())
        let bytes = Array(request.0.utf8)
        pair.send(bytes[..<count])
        if count < 5 { #expect(pair.server.handshake() == .wantsRead) }
        #expect(!pair.server.metHEAD)
        pair.send(bytes[count...])
        _ = pair.server.handshake()
        #expect(pair.server.metHTTP == (bytes[3] != UInt8(ascii: "R")))
        #expect(pair.server.metHEAD == request.1)
    }

    @Test func distinguishesACloseFromATruncation() throws {
        let closed = try SessionPair(.make(), .make())
        _ = closed.shakeHands()
        #expect(closed.client.shutdown() == .done(1))
        #expect(SessionPair.read(from: closed.server).end == .closed)
        // The other direction stays open.
        #expect(closed.server.write([7].span) == .done(1))
        #expect(SessionPair.read(from: closed.client).bytes == [7])

        let cut = try SessionPair(.make(), .make())
        _ = cut.shakeHands()
        shutdown(cut.sockets[0], Int32(SHUT_WR))
        #expect(SessionPair.read(from: cut.server).end == .cut)
        // Writing after that fails and raises no signal.
        #expect(cut.server.shutdown() == .done(1))
    }

    @Test func writingToAClosedPeerFailsWithoutASignal() throws {
        let pair = try SessionPair(.make(), .make())
        _ = pair.shakeHands()
        shutdown(pair.sockets[0], Int32(SHUT_RDWR))
        guard case .failed = pair.server.write([1].span) else {
            Issue.record("the write succeeded")
            return
        }
    }

    static let invalidInputs: [(String, [UInt8])] = [
        ("HTTP", Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
        ("HTTP, HEAD", Array("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)),
        ("text", Array("hello, are you there?\r\n".utf8)), ("zeros", [UInt8](repeating: 0, count: 64)),
        ("a record that is too long", [22, 3, 1, 0xFF, 0xFF] + [UInt8](repeating: 1, count: 100)),
        ("SSL 2", [0x80, 46, 1, 0, 2, 0, 21, 0, 0, 0, 16] + [UInt8](repeating: 7, count: 37)),
        ("an alert", [21, 3, 1, 0, 2, 2, 40]),
    ]

    @Test(arguments: invalidInputs) func inputThatIsNotTLSFails(_ name: String, _ bytes: [UInt8]) throws {
        let sockets = try SessionPair.joined()
        defer { for socket in sockets { close(socket) } }
        let session = try #require(try ServerTLS.make().session(over: Socket(owning: dup(sockets[1]))))
        #expect(session.handshake() == .wantsRead)
        // The call reads the array's own bytes.
        _ = unsafe bytes.withUnsafeBytes { unsafe send(sockets[0], $0.baseAddress, $0.count, 0) }
        guard case .failed(let failure) = session.handshake() else {
            Issue.record("no failure")
            return
        }
        #expect(!failure.description.isEmpty)
        #expect(session.metHTTP == name.hasPrefix("HTTP"))
        #expect(session.metHEAD == name.hasSuffix("HEAD"))
        #expect(session.shutdown() == .done(1))
    }

    /// The largest handshake message, in records of one byte.
    @Test func readsTinyRecordsInLimitedSteps() throws {
        let sockets = try SessionPair.joined()
        defer { for socket in sockets { close(socket) } }
        let session = try #require(try ServerTLS.make().session(over: Socket(owning: dup(sockets[1]))))
        let crumbs = [UInt8](repeatElement([22, 3, 3, 0, 1, 0], count: 512).joined())
        var bytes: [UInt8] = [22, 3, 1, 0, 4, 1, 0, 0x40, 0] + crumbs
        var steps = 0
        while steps < 1000 {
            // The call reads the array's own bytes.
            let sent = unsafe bytes.withUnsafeBytes { unsafe send(sockets[0], $0.baseAddress, $0.count, 0) }
            if sent > 0 { bytes.removeFirst(sent) }
            if bytes.count < crumbs.count { bytes += crumbs }
            steps += 1
            let outcome = session.handshake()
            if steps < 100 { #expect(outcome == .wantsRead) }
            guard outcome == .wantsRead else { break }
            var waiting: Int32 = 0
            // The call fills the number.
            #expect(unsafe ioctl(sockets[1], UInt(FIONREAD), &waiting) == 0 && waiting > 0)
        }
        #expect(steps == 128)
    }

    /// The sizes of the records that contain parts of a ClientHello.
    @Test(
        "A ClientHello that announces more than 16 KiB is rejected at its first bytes",
        arguments: [[4], [1, 1, 1, 1], [2, 9]])
    func rejectsALongClientHello(_ parts: [Int]) throws {
        for (length, isRefused) in [(16_384, false), (16_385, true), (131_000, true)] {
            let pair = try SessionPair(.make(), .make())
            var message: [UInt8] = [1, UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
            message += [3, 3] + [UInt8](repeating: 0, count: 64)
            for part in parts {
                pair.send(([22, 3, 1, 0, UInt8(part)] + message.prefix(part))[...])
                message.removeFirst(part)
            }
            switch pair.server.handshake() {
            case .failed(let failure): #expect(isRefused && failure.description == "excessive message size")
            case let other: #expect(!isRefused && other == .wantsRead)
            }
        }
    }

    @Test func reportsATruncatedHandshake() throws {
        let sockets = try SessionPair.joined()
        defer { close(sockets[1]) }
        let session = try #require(try ServerTLS.make().session(over: Socket(owning: dup(sockets[1]))))
        // The call reads the array's own bytes.
        let start: [UInt8] = [22, 3, 1, 0, 200, 1, 0, 0, 196]
        _ = unsafe start.withUnsafeBytes { unsafe send(sockets[0], $0.baseAddress, $0.count, 0) }
        #expect(session.handshake() == .wantsRead)
        // A child process of another test may hold the descriptor for a moment.
        shutdown(sockets[0], Int32(SHUT_RDWR))
        close(sockets[0])
        #expect(session.handshake() == .cut)
    }
}
