import CallerAuthentication
import Cryptography
import Dispatch
import HTTP1
import HTTPServer
import LocalStorage
import Logging
import PresignService
import Presigning

/// The storage of `serve --local`: its server, and the API key that is made when the configuration lets nobody in.
struct EmbeddedStorage {
    /// Of its server.
    static let loops = 2

    let address: ListenAddress
    private let store: LocalStore
    private let server: HTTPServer
    private let directory: String
    /// The buckets it was started for, with their regions.
    private let buckets: [(name: String, region: String)]
    /// The API key that is accepted when the configuration admits no caller.
    private let key: String?
    /// True: the key was made for this run and is not stored yet.
    private let isNewKey: Bool

    /// Starts the storage when the configuration asks for it.
    ///
    /// - Parameters:
    ///   - makesKey: makes a new key even if there is one.
    ///   - buffers: the process's memory for requests and responses.
    static func start(
        for configuration: ServiceConfiguration, makesKey: Bool, _ buffers: BufferBudget, _ logger: Logger
    ) throws(CommandFailure) -> EmbeddedStorage? {
        guard let local = configuration.local else { return nil }
        let store = try open(local, configuration, logger)
        let (key, isNew) = try configuration.hasCallers ? (nil, false) : key(of: store, makesKey: makesKey)
        let server = try server(for: store, local, configuration.server, buffers)
        let address = server.boundAddresses.first ?? local.listen
        return EmbeddedStorage(
            address: address, store: store, server: server, directory: local.directory, buckets: configuration.buckets,
            key: key, isNewKey: isNew)
    }

    /// Turns all stores of a configuration to this storage.
    func serve(_ configuration: inout ServiceConfiguration) throws(CommandFailure) {
        if let missing = configuration.buckets.first(where: { bucket in !buckets.contains { $0 == bucket } }) {
            throw CommandFailure(
                .configuration,
                "the local storage was started without the bucket \(missing.name) in \(missing.region); start it again")
        }
        if let key, !configuration.hasCallers {
            configuration.authentication.admit(id: LocalConfiguration.keyID, digest: SHA256.hash(Array(key.utf8)))
        }
        do {
            try configuration.serveLocally(from: "http://\(address)", with: store.credentials)
        } catch {
            throw CommandFailure(.configuration, error.description)
        }
    }

    /// Goes on with what a configuration says that is in use now: a page that the service lets in has to get to its storage.
    func follow(_ configuration: ServiceConfiguration) {
        store.replaceOrigins(by: configuration.cors.texts)
    }

    /// Accepts nothing more; returns at once.
    func beginStop() { server.shutdown() }

    /// Stops, and waits for the end.
    func stop() {
        server.shutdown()
        server.wait()
    }

    /// Stops the other server when this one has ended, for whatever reason: half a service helps nobody.
    private func end(with other: HTTPServer) {
        let server = server
        DispatchQueue(label: "presign.storage").async {
            server.wait()
            other.shutdown()
        }
    }

    /// Why the server ended by itself.
    var failure: HTTPServerError? { server.failure }

    /// Says in the log and to a person that it is there, beside the service; from then on it ends with the service.
    func announce(
        beside servers: ServiceServers, servesPage: Bool, _ logger: Logger
    ) throws(CommandFailure) {
        logger.notice("storage listening", metadata: ["event": "storage-listening", "address": "\(address)"])
        logger.warning("the local storage is for development: one machine, no replicas, no backups")
        try announce(beside: servers.addresses, servesPage: servesPage)
        end(with: servers.main)
    }

    /// Lets the upload page of a service at these addresses in, and tells a person where everything is.
    ///
    /// A new key is stored only after it was printed, so a start that fails leaves no key that was never shown.
    private func announce(beside addresses: [ServedAddress], servesPage: Bool) throws(CommandFailure) {
        for origin in addresses.flatMap(\.origins) { store.allow(origin: origin) }
        let service = addresses.lazy.compactMap(\.url).first
        var lines = ["presign: a storage for development, files under \(directory), on \(address)"]
        if let key {
            if servesPage, let service { lines.append("  page      \(service)/#key=\(key)&folder=uploads") }
            let curl = addresses.first.map { $0.curl(path: "/presign") } ?? ""
            let call = "\(curl) -H 'Accept: text/plain' -H 'X-API-Key: \(key)' -d path=uploads/hello"
            lines += [
                "  API key   \(key)", "            kept in \(directory)/api-key; start with --new-key to replace it",
                "  upload    " + Self.line("\(call) -d method=PUT", "curl -sS --fail-with-body -T FILE"),
                "  download  " + Self.line(call, "curl -fsS -o COPY"),
            ]
        } else if servesPage, let service {
            lines.append("  page      \(service)/")
        }
        try printLines(lines)
        guard let key, isNewKey else { return }
        do {
            try store.keepKey(key)
        } catch {
            throw CommandFailure(.system, error.description)
        }
    }

    /// A shell line that gets a URL and uses it; when the service refuses, it prints why and stops.
    private static func line(_ call: String, _ use: String) -> String {
        #"URL=$(\#(call)) || { echo "$URL"; false; } && \#(use) "$URL""#
    }

    private static func open(
        _ local: LocalConfiguration, _ configuration: ServiceConfiguration, _ logger: Logger
    ) throws(CommandFailure) -> LocalStore {
        for (index, bucket) in configuration.buckets.enumerated() {
            let twin = configuration.buckets[..<index].first { $0.name.utf8.elementsEqual(bucket.name.utf8) }
            guard twin == nil else {
                throw CommandFailure(
                    .configuration, "the bucket \(bucket.name) is configured for two regions; a bucket is in one")
            }
        }
        var settings = LocalStoreConfiguration(
            directory: local.directory,
            buckets: configuration.buckets.map { .init(name: $0.name, region: $0.region) },
            origins: configuration.cors.texts)
        settings.report = { logger.error("\($0)", metadata: ["event": "storage-failure"]) }
        do {
            return try LocalStore(settings)
        } catch {
            throw CommandFailure(.system, error.description)
        }
    }

    /// The stored key, or a new one.
    private static func key(
        of store: LocalStore, makesKey: Bool
    ) throws(CommandFailure) -> (key: String?, isNew: Bool) {
        do {
            if !makesKey, let kept = try store.keptKey() {
                let isKey = APIKey.id(in: kept.utf8.span) != nil
                guard isKey, kept.utf8.starts(with: "psk_\(LocalConfiguration.keyID)_".utf8) else {
                    throw CommandFailure(
                        .configuration, "the file api-key does not hold an API key; start with --new-key to replace it")
                }
                return (kept, false)
            }
            let text = try APIKey.generate(id: LocalConfiguration.keyID)
            return (text, true)
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(.system, "\(error)")
        }
    }

    private static func server(
        for store: LocalStore, _ local: LocalConfiguration, _ main: HTTPServerConfiguration, _ buffers: BufferBudget
    ) throws(CommandFailure) -> HTTPServer {
        var settings = HTTPServerConfiguration(listen: [local.listen], loops: loops)
        settings.limits = LocalStore.serverLimits
        settings.timeouts = LocalStore.serverTimeouts
        settings.timeouts.drain = main.timeouts.drain
        let server = HTTPServer(configuration: settings, buffers: buffers) { store.makeHandler(loop: $0) }
        do {
            try server.start()
        } catch {
            throw CommandFailure(.system, "the local storage: \(error.description)")
        }
        return server
    }
}
