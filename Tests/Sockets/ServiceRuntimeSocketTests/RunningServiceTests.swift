import HTTPServer
import Synchronization
import System
import TestSupport
import Testing

@testable import PresignService
@testable import ServiceRuntime

@Suite("A running service, in this process")
struct RunningServiceTests {
    /// The parts that `serve --local` starts.
    private struct Running {
        let configuration: ServiceConfiguration
        let logs: ServiceLogs
        let storage: EmbeddedStorage
        let parts: ServiceParts
        let servers: ServiceServers

        init(in directory: String, metrics: ListenAddress? = nil) throws {
            var configuration = try ServiceConfiguration.local(in: directory)
            configuration.server.listen = [.tcp(host: "127.0.0.1", port: 0)]
            configuration.server.loops = 1
            configuration.local?.listen = .tcp(host: "127.0.0.1", port: 0)
            configuration.metrics.listen = metrics
            (configuration.log.level, configuration.log.requests) = ("error", false)
            self.configuration = configuration
            logs = ServiceLogs(configuration.log)
            let buffers = BufferBudget(of: configuration.server)
            storage = try #require(
                try EmbeddedStorage.start(for: configuration, makesKey: false, buffers, logs.logger))
            try storage.serve(&configuration)
            parts = try ServiceParts(configuration, logs)
            do {
                servers = try ServiceServers(
                    parts, configuration, on: [], buffers, beside: storage.address, logs)
            } catch {
                storage.stop()
                parts.shutdown()
                throw error
            }
        }

        func stop() {
            servers.stop()
            storage.stop()
            parts.shutdown()
        }
    }

    @Test("It responds where it listens, and no more after its stop")
    func startAndStop() throws {
        let directory = try TemporaryDirectory()
        let running = try Running(in: directory.path + "/data")
        let address = try #require(running.servers.addresses.first)
        #expect(try address.status(of: "/healthz") == 200)
        #expect(try address.status(of: "/readyz") == 200)
        #expect(try address.status(of: "/nothing") == 404)
        running.parts.service.beginShutdown()
        #expect(try address.status(of: "/readyz") == 503)
        running.stop()
        #expect(throws: (any Error).self) { try address.status(of: "/healthz") }
        #expect(running.servers.failure == nil && running.storage.failure == nil)
    }

    @Test("Metrics on the port of another listener are a mistake of the configuration")
    func sharedPort() throws {
        let directory = try TemporaryDirectory()
        let taken = try Running(in: directory.path + "/a")
        defer { taken.stop() }
        let error = #expect(throws: ProgramFailure.self) {
            _ = try ServiceServers(
                taken.parts, with(taken.configuration) { $0.metrics.listen = taken.storage.address }, on: [],
                BufferBudget(limit: 1 << 20), beside: taken.storage.address, taken.logs)
        }
        #expect(error?.kind == .configuration && error?.description.contains("metrics.listen: the port of") == true)
    }

    private func with(
        _ configuration: ServiceConfiguration, _ change: (inout ServiceConfiguration) -> Void
    ) -> ServiceConfiguration {
        var changed = configuration
        change(&changed)
        return changed
    }

    @Test("A reload uses the new configuration; the current one stays in use while the new one is invalid")
    func reload() async throws {
        let directory = try TemporaryDirectory()
        let running = try Running(in: directory.path + "/data")
        defer { running.stop() }
        var configuration = running.configuration
        try running.storage.serve(&configuration)
        let served = configuration
        let next = Mutex<Result<ServiceConfiguration, ProgramFailure>>(.success(served))
        let service = running.parts.service
        let credentials = CredentialFiles(running.parts.refreshers, of: service, running.logs.logger)
        credentials.follow(running.configuration)
        defer { credentials.stop() }
        let reload = ConfigurationReload(
            of: running.parts, startedWith: running.configuration, file: nil, since: FileStamps([]), credentials,
            running.storage, SystemdNotifier(by: nil, of: [], running.logs.logger), running.logs.logger
        ) { () throws(ProgramFailure) in
            try next.withLock { $0 }.get()
        }
        let first = service.currentSnapshot()
        reload.begin(because: "test")
        #expect(try await eventually { service.currentSnapshot().version > first.version })
        let second = service.currentSnapshot()
        next.withLock { $0 = .failure(ProgramFailure(.configuration, "invalid")) }
        reload.begin(because: "test")
        #expect(try await eventually { service.metrics.reloads.failed == 1 })
        #expect(service.currentSnapshot().version == second.version)
        next.withLock { $0 = .success(served) }
        reload.begin(because: "test")
        #expect(try await eventually { service.currentSnapshot().version > second.version })
        reload.stop()
    }
}
