import Dispatch
import Foundation
import Glibc
import HTTP1
import HTTPServer
import SocketTestSupport
import Synchronization
import System
import Testing

@testable import HTTP1TestSupport

/// The address and transport of a live test.
struct LiveCase: Sendable, CustomTestStringConvertible {
    let address: String
    /// Whether the server uses TLS.
    var isSecure = false

    var testDescription: String { "\(address)\(isSecure ? " TLS" : "")" }

    static let plain = (["127.0.0.1:0", "unix:"] + IPv6.loopback).map { LiveCase(address: $0) }

    static let all = plain + secure

    static let secure = [LiveCase(address: "127.0.0.1:0", isSecure: true)]

    static let tcp = [LiveCase(address: "127.0.0.1:0")]
}

/// A started server on a free port or path. `/defer` gets its response from another thread, `/drop` never, `/hold` when
/// the test releases it, `/refuse` a 401 before its body, `/large` 4 MB, and every other path its own body.
final class LiveServer: Sendable {
    /// Whether a sanitizer makes everything slower and larger.
    static let isSanitized = ProcessInfo.processInfo.environment["PRESIGN_E2E_SLOWNESS"] != nil
    static let large = [UInt8](repeating: 0x78, count: 4 << 20)
    /// An unlinked file that contains `large`.
    private static let largeFile = Result {
        let path = "/tmp/http-serving-\(getpid()).large"
        // The path and the array outlive the calls.
        let descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        unsafe unlink(path)
        let file = try OpenFile(owning: descriptor)
        try file.write(large.span)
        return file
    }
    /// A range of `largeFile`.
    static func file(_ range: Range<Int>) -> HTTPFile? { (try? largeFile.get()).map { HTTPFile($0, range: range) } }

    private static let sequence = Atomic(0)
    /// Synchronizes `/hold`, which blocks a loop: it signals that it has started and waits for permission to end.
    private static let held = (entered: DispatchSemaphore(value: 0), mayLeave: DispatchSemaphore(value: 0))

    let server: HTTPServer
    let address: ListenAddress
    /// The TLS settings of new connections; nil without TLS.
    let tls: TLSSource?
    let client: ClientTLS?
    /// TLS failures of connections.
    let failures = Failures()

    final class Failures: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func note(_ failure: TLSFailure) { texts.withLock { $0.append(failure.description) } }
    }

    /// - Parameter handler: Creates a handler for each loop, instead of the one described above.
    init(
        _ live: LiveCase, change: (inout HTTPServerConfiguration) -> Void = { _ in },
        handler: @escaping @Sendable () -> any HTTPHandler = { LiveHandler() }
    ) throws {
        let listen: ListenAddress
        if live.address == "unix:" {
            let number = Self.sequence.add(1, ordering: .relaxed).newValue
            listen = .unix(path: "/tmp/http-serving-\(getpid())-\(number).sock", mode: 0o600)
        } else {
            listen = try ListenAddress.parse(live.address)
        }
        var configuration = HTTPServerConfiguration(listen: [listen], loops: 2)
        configuration.timeouts.drain = .seconds(5)
        configuration.limits.connections = 10_000
        // Only overload tests may depend on the machine's speed.
        configuration.limits.queueDelay = .seconds(60)
        change(&configuration)
        if live.isSecure {
            let certificates = try TestCertificates.shared
            let settings = try ServerTLS(
                chain: bytes(of: certificates.server.certificate), key: bytes(of: certificates.server.key))
            client = try ClientTLS(trusting: .file(certificates.servers.certificate))
            tls = TLSSource(settings) { [failures] failure, _ in failures.note(failure) }
        } else {
            (tls, client) = (nil, nil)
        }
        server = HTTPServer(configuration: configuration, tls: tls) { _ in handler() }
        try server.start()
        address = server.boundAddresses[0]
    }

    /// Stops the server and waits for its end.
    func stop() {
        server.shutdown()
        server.wait()
    }

    /// The response to `/hold`, once the test releases it.
    static func hold() -> HTTPResponse {
        held.entered.signal()
        held.mayLeave.wait()
        return HTTPResponse(status: 200)
    }

    func connect() throws -> LiveClient { try LiveClient(address, client) }

    /// Sends while the loop is blocked, so that it sees all input at once.
    func sendAtOnce(_ send: () throws -> Void) throws {
        let holder = try connect()
        holder.send("GET /hold HTTP/1.1\r\nHost: a\r\n\r\n")
        Self.held.entered.wait()
        defer { #expect(holder.response()?.status == 200) }
        defer { Self.held.mayLeave.signal() }
        try send()
    }
}

/// Counts the received bytes and responds from another thread.
private final class CountingReceiver: HTTPResponder {
    private var count = 0

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        count += content.count
        return content.first == 0x21 ? HTTPResponse(status: 422) : nil
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        let count = count
        let deferral = deferrals.makeDeferral()
        DispatchQueue.global().async {
            deferral.complete(with: HTTPResponse(status: 200, body: Array("\(count)".utf8)))
        }
        return nil
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        LiveResponder.response(to: failure)
    }
}

private final class LiveHandler: HTTPHandler {
    func body(for head: HTTPRequest) -> HTTPBodyDecision {
        switch text(head.path) {
        case "/refuse": .refuse(HTTPResponse(status: 401))
        case "/count": .stream(limit: 1 << 40, CountingReceiver())
        default: .read(limit: 1 << 20, LiveResponder())
        }
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        LiveResponder.response(to: failure)
    }
}

private final class LiveResponder: HTTPResponder {
    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        switch text(request.path) {
        case "/defer":
            let deferral = deferrals.makeDeferral()
            DispatchQueue.global().async { deferral.complete(with: HTTPResponse(status: 202)) }
            return nil
        case "/drop": return nil
        case "/hold": return LiveServer.hold()
        case "/file":
            var response = HTTPResponse(status: 200)
            response.file = LiveServer.file(1..<LiveServer.large.count)
            return response
        case "/short":
            var response = HTTPResponse(status: 200)
            response.file = LiveServer.file(0..<10)
            return response
        case "/large": return HTTPResponse(status: 200, body: LiveServer.large)
        default: return HTTPResponse(status: 200, body: Array(request.body))
        }
    }

    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        Self.response(to: failure)
    }

    static func response(to failure: HTTPFailure) -> HTTPResponse {
        HTTPResponse(status: failure.status, body: Array(failure.reason.utf8))
    }
}
