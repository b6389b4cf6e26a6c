import CallerAuthentication
import HTTPServer
import HTTPServerTestSupport
import ObjectExistence
import PresignService
import Presigning
import SocketTestSupport
import System
import Telemetry

/// The service of a configuration in this process. It is fed with bytes instead of sockets, and only the test advances
/// its clock.
final class TestService: AssembledService {
    let assembly: ServiceAssembly
    let clock = TestClock()
    private let server: InProcessServer
    /// Not started: the metrics show its memory budget.
    private let observed: HTTPServer

    init(
        _ yaml: String = SampleConfiguration().yaml, environment: [String: String] = SampleConfiguration.environment,
        storage: [ExistenceOutcome] = [], holdsHeads: Bool = false, files: [String: String] = [:],
        auditCapacity: Int = 1 << 20, issuerKeys: IssuerKeyPool = IssuerKeyPool(),
        offersOnlyMetrics: Bool = false
    ) throws {
        assembly = try ServiceAssembly(
            yaml, environment: environment, storage: ScriptedStorage(storage, holds: holdsHeads), files: files,
            auditCapacity: auditCapacity, clock: clock, issuerKeys: issuerKeys)
        let (service, configuration) = (assembly.service, assembly.configuration.server)
        observed = HTTPServer(configuration: configuration) { service.makeHandler(loop: $0) }
        server = try InProcessServer(
            service.makeHandler(loop: 0, offersOnlyMetrics: offersOnlyMetrics), configuration,
            buffers: observed.buffers, clock: clock)
        service.metrics.observe(observed)
    }

    /// - Parameter destination: the file or socket of the audit.
    convenience init(auditingTo destination: String, capacity: Int = 1 << 20) throws {
        try self.init(
            SampleConfiguration().yaml + "\naudit: {to: \"\(destination)\"}\n", auditCapacity: capacity)
    }

    deinit { assembly.audit?.close() }

    /// Opens a connection.
    func connect(from peer: PeerAddress = .ipv4(0x7F00_0001)) -> InProcessClient { server.connect(from: peer) }

    /// Advances the clock, and ends what has timed out.
    func advance(by time: Duration) { server.advance(by: time) }

    /// Sends a complete request on a new connection and returns the response.
    func exchange(_ request: String, omitsBody: Bool = false) throws -> RawResponse {
        let client = connect()
        client.send(request)
        guard let response = try client.response(omitsBody: omitsBody) else {
            throw RawClient.Failure(description: "the connection ended without a response")
        }
        return response
    }
}

extension TestClock {
    /// The wall clock.
    var time: SigningTime { SigningTime(secondsSince1970: seconds) }

    /// The wall clock at first.
    static var startTime: SigningTime { SigningTime(secondsSince1970: start) }
}
