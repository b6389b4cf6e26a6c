import HTTP1
import ObjectExistence
import PresignService
import SocketTestSupport
import Testing

@testable import HTTPServer
@testable import PresignServiceTestSupport

/// The service of a configuration on a loopback socket, with the clocks of the machine.
final class LiveService: AssembledService {
    let assembly: ServiceAssembly
    let port: UInt16
    private let server: HTTPServer

    /// - Parameter queueDelay: how long a loop may be behind before it sheds load. Only tests of overload depend on how
    ///   fast the machine is.
    init(
        _ yaml: String = SampleConfiguration().yaml, environment: [String: String] = SampleConfiguration.environment,
        storage: [ExistenceOutcome] = [], holdsHeads: Bool = false, files: [String: String] = [:],
        queueDelay: Duration = .seconds(60)
    ) throws {
        assembly = try ServiceAssembly(
            yaml, environment: environment, storage: ScriptedStorage(storage, holds: holdsHeads), files: files,
            auditCapacity: 1 << 20, clock: nil)
        let service = assembly.service
        var serving = assembly.configuration.server
        serving.limits.queueDelay = queueDelay
        server = HTTPServer(configuration: serving) { service.makeHandler(loop: $0) }
        try server.start()
        service.metrics.observe(server)
        guard case .tcp(_, let port)? = server.boundAddresses.first else {
            throw RawClient.Failure(description: "no port")
        }
        self.port = port
    }

    deinit { stop() }

    /// Starts the shutdown, like SIGTERM.
    func beginShutdown() {
        service.beginShutdown()
        server.shutdown()
    }

    /// Stops the service and returns when the last connection is closed.
    func stop() {
        beginShutdown()
        server.wait()
    }

    /// Opens a connection.
    func connect() throws -> RawClient { try RawClient(port: port) }

    /// Sends one request on a new connection and reads the response.
    func exchange(_ request: String) throws -> RawResponse {
        let client = try connect()
        client.send(request)
        return try #require(try client.response())
    }
}
