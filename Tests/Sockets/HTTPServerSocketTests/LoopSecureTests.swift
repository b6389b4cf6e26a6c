import CPlatform
import HTTPServerTestSupport
import SocketTestSupport
import Synchronization
import Testing

@testable import HTTPServer
@testable import System

@Suite("TLS in the event loop, step by step")
struct LoopSecureTests {
    private static func settings(clients: ServerTLS.Clients? = nil) throws -> ServerTLS {
        let certificates = try TestCertificates.shared
        return try ServerTLS(
            chain: bytes(of: certificates.server.certificate), key: bytes(of: certificates.server.key),
            clients: clients)
    }

    private static func fixture() throws -> LoopFixture {
        try LoopFixture(tls: TLSSource(settings()) { _, _ in })
    }

    @Test(
        "A connection with a client certificate is served until the certificate expires",
        arguments: [(0..<Int64.max, true), (0..<TestClock.start, false), (Int64.max - 1..<Int64.max, false)])
    func validity(_ validity: Range<Int64>, _ isHeard: Bool) throws {
        let fixture = try Self.fixture()
        let client = try fixture.connect()
        try client.shakeHands(ClientTLS(trusting: .file(TestCertificates.shared.servers.certificate))) {
            fixture.iterate([fixture.loop.slots.isEmpty ? LoopFixture.listener : fixture.ready(0)])
        }
        // The client's last message has not been read yet.
        fixture.iterate([fixture.ready(0)])
        fixture.loop.slots[0].connection.certificate = PeerCertificate(
            names: [:], validity: validity)
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.open == (isHeard ? 1 : 0))
        #expect(client.response()?.status == (isHeard ? 200 : nil))
    }

    @Test(
        "A client without a certificate is served until the settings require one",
        arguments: [(nil, true), (false, true), (true, false)] as [(required: Bool?, isServed: Bool)])
    func demandedLater(_ required: Bool?, _ isServed: Bool) throws {
        let reasons = Mutex<[String]>([])
        let source = try TLSSource(Self.settings()) { failure, _ in reasons.withLock { $0.append("\(failure)") } }
        let fixture = try LoopFixture(tls: source)
        let client = try fixture.connect()
        try client.shakeHands(ClientTLS(trusting: .file(TestCertificates.shared.servers.certificate))) {
            fixture.iterate([fixture.loop.slots.isEmpty ? LoopFixture.listener : fixture.ready(0)])
        }
        fixture.iterate([fixture.ready(0)])
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.iterate([fixture.ready(0)])
        #expect(client.response()?.status == 200)
        let authorities = try bytes(of: TestCertificates.shared.clients.certificate)
        source.replace(
            by: try Self.settings(clients: required.map { .init(authorities: authorities, isRequired: $0) }))
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        fixture.iterate([fixture.ready(0)])
        #expect(fixture.loop.open == (isServed ? 1 : 0))
        #expect(client.response()?.status == (isServed ? 200 : nil))
        #expect(reasons.withLock { $0 } == (isServed ? [] : ["peer did not return a certificate"]))
    }

    @Test("A flood of handshakes is limited per iteration and continues in the next")
    func handshakes() throws {
        let fixture = try Self.fixture()
        let hello = try ClientHello.bytes()
        let most = LoopTransport.handshakesPerIteration
        let clients = try (0..<3 * most).map { _ in try fixture.connect() }
        for client in clients { client.send(hello) }
        fixture.iterate([LoopFixture.listener])
        #expect(fixture.loop.open == clients.count)
        #expect(clients.count { $0.hasBytes } == most)
        for turns in 2...3 {
            // A client that got its reply sends nothing more.
            fixture.iterate(clients.indices.filter { !clients[$0].hasBytes }.map { fixture.ready($0) })
            #expect(clients.count { $0.hasBytes } == turns * most)
        }
    }
}
