import HTTPServing
import LocalStorage
import Logging
import PresignService
import Presigning
import SystemInterface

/// The storage of `serve --local`: its server, and what a person is told about it.
struct EmbeddedStorage {
    private let store: LocalStore
    private let server: HTTPServer
    private let address: ListenAddress
    private let directory: String
    private let key: LocalAPIKey?

    /// Starts the storage when the configuration asks for it, and turns all stores to it.
    static func start(for configuration: inout ServiceConfiguration) throws(CommandFailure) -> EmbeddedStorage? {
        guard let local = configuration.local else { return nil }
        let store: LocalStore
        do {
            store = try LocalStore(
                LocalStoreConfiguration(
                    directory: local.directory,
                    buckets: configuration.buckets.map { .init(name: $0.name, region: $0.region) },
                    origins: configuration.cors.texts))
        } catch {
            throw CommandFailure(.system, error.description)
        }
        var settings = HTTPServerConfiguration(listen: [local.listen], loops: 2)
        settings.limits = LocalStore.serverLimits
        settings.timeouts = LocalStore.serverTimeouts
        settings.timeouts.drain = configuration.server.timeouts.drain
        settings.poller = configuration.server.poller
        let server = HTTPServer(configuration: settings) { store.makeHandler(loop: $0) }
        do {
            try server.start()
        } catch {
            throw CommandFailure(.system, "the local storage: \(error.description)")
        }
        let address = server.boundAddresses.first ?? local.listen
        do {
            try configuration.serveLocally(from: "http://\(address)", with: store.credentials)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
        var key: LocalAPIKey?
        if !configuration.hasCallers {
            let kept = try LocalAPIKey.keptOrNew(in: local.directory)
            configuration.authentication.admit(id: LocalAPIKey.id, digest: kept.digest)
            key = kept
        }
        return EmbeddedStorage(
            store: store, server: server, address: address, directory: local.directory, key: key)
    }

    func stop() {
        server.shutdown()
        server.wait()
    }

    /// Says where everything is. The key is shown in the run that made it, and never again.
    func announce(
        beside addresses: [ListenAddress], _ configuration: ServiceConfiguration, _ logger: Logger
    ) throws(CommandFailure) {
        logger.notice("listening", metadata: ["event": "storage-listening", "address": "\(address)"])
        logger.warning("the local storage is for development: one machine, no replicas, no backups")
        let ports = addresses.compactMap { if case .tcp(_, let port) = $0 { port } else { nil } }
        guard let port = ports.first else { return }
        for host in ["127.0.0.1", "localhost", "[::1]"] { store.allow(origin: "http://\(host):\(port)") }
        let service = "http://127.0.0.1:\(port)"
        var lines = ["presign: a storage for development, files under \(directory), on \(address)"]
        if let text = key?.text {
            let call =
                "curl -s \(service)/presign -H 'Accept: text/plain' -H 'X-API-Key: \(text)' -d path=uploads/hello"
            lines += [
                "  page      \(service)/#key=\(text)&folder=uploads", "  API key   \(text)",
                "            shown this once; remove \(directory)/\(LocalAPIKey.file) to have a new one",
                "  upload    curl -T FILE \"$(\(call) -d method=PUT)\"", "  download  curl -o COPY \"$(\(call))\"",
            ]
        } else if configuration.servesPage {
            lines.append("  page      \(service)/")
            if key != nil {
                lines.append(
                    "  API key   the one shown before; remove \(directory)/\(LocalAPIKey.file) to have a new one")
            }
        }
        try printLines(lines)
    }
}
