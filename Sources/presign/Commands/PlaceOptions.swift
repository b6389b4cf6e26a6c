import AccessRules
import HTTPServer
import LocalStorage
import PresignService
import PresignTools
import Presigning
import StorageCredentials
import System

/// Where the object of an offline URL is: a store of the configuration, or a bucket given by options.
struct PlaceOptions {
    private let config: String?
    private let store: String?
    private let bucket: String?
    private let region: String?
    private let endpoint: String?
    private let addressing: S3EndpointOptions.Addressing?

    init(from arguments: inout Arguments) {
        let section = arguments.section
        arguments.section = "Where the object is"
        defer { arguments.section = section }
        config = arguments.option("config", help: "The YAML configuration file.")
        store = arguments.option("store", help: "The store of the configuration (default: its default store).")
        bucket = arguments.option("bucket", help: "The bucket, when there is no configuration.")
        region = arguments.option("region", help: "The region (default: AWS_REGION, AWS_DEFAULT_REGION).")
        endpoint = arguments.option(
            "endpoint",
            help: "The base URL of a store other than AWS (default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL).")
        addressing = arguments.choice(
            "addressing", help: "How the bucket gets into the URL: auto (default), virtual or path.")
    }

    /// The bucket and the credentials that a request may leave out.
    ///
    /// - Parameter forBatch: whether lines may name buckets of their own.
    func defaults(forBatch: Bool) throws(CommandFailure) -> SigningDefaults {
        let configured = try config.map(store(in:))
        do {
            if let configured {
                return try SigningDefaults(
                    store: configured.store, expires: configured.expires, environment: Self.variable)
            }
            var defaults = try SigningDefaults(
                endpoint: try options(forBatch: forBatch),
                source: CredentialSelection.chain.source(environment: Self.variable))
            defaults.region = regionOrEnvironment
            return defaults
        } catch let failure as CredentialFailure {
            throw CommandFailure(.configuration, failure.description)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    private static let variable: @Sendable (String) -> String? = { Environment.value($0) }

    private var regionOrEnvironment: String? {
        region ?? Self.variable("AWS_REGION") ?? Self.variable("AWS_DEFAULT_REGION")
    }

    private func store(in file: String) throws(CommandFailure) -> (store: StoreConfiguration, expires: ExpiryLimits) {
        guard bucket == nil, region == nil, endpoint == nil, addressing == nil else {
            throw CommandFailure(
                .usage,
                "--bucket, --region, --endpoint and --addressing do not go with --config: its stores say where they are;"
                    + " choose one with --store")
        }
        var configuration = try ConfigurationFile.read(file)
        let wanted = configuration.stores.firstIndex { candidate in
            store.map { $0.utf8.elementsEqual(candidate.name.utf8) } ?? candidate.isDefault
        }
        guard let wanted else {
            throw CommandFailure(
                .usage,
                store.map { "--store: \(file) has no store \($0)" } ?? "\(file) has no default store; give --store")
        }
        if let local = configuration.local { try Self.serve(&configuration, from: local, configuredIn: file) }
        return (configuration.stores[wanted], configuration.expires)
    }

    /// Turns all stores to the local storage, with the credentials that `presign serve` made in its directory.
    private static func serve(
        _ configuration: inout ServiceConfiguration, from local: LocalConfiguration, configuredIn file: String
    ) throws(CommandFailure) {
        guard case .tcp(_, let port) = local.listen, port != 0 else {
            throw CommandFailure(
                .configuration, "\(file): local.listen: \(local.listen) has no fixed port, so URLs cannot name it")
        }
        do {
            guard let credentials = try LocalStore.credentials(in: local.directory) else {
                throw CommandFailure(
                    .configuration,
                    "\(file) has `local`, and there are no credentials in \(local.directory)/credentials: presign serve makes"
                        + " them at its first start; start it, and run this command in the same folder")
            }
            try configuration.serveLocally(from: "http://\(local.listen)", with: credentials)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    /// nil when no bucket is named: the lines of a batch may name theirs.
    private func options(forBatch: Bool) throws(CommandFailure) -> S3EndpointOptions? {
        guard store == nil else { throw CommandFailure(.usage, "--store needs --config") }
        guard let bucket else {
            guard endpoint == nil, addressing == nil else {
                throw CommandFailure(
                    .usage,
                    "--endpoint and --addressing need --bucket"
                        + (forBatch ? "; lines that name their own bucket name their own endpoint" : ""))
            }
            return nil
        }
        guard let region = regionOrEnvironment else {
            throw CommandFailure(.usage, "--bucket needs --region, or AWS_REGION in the environment")
        }
        return S3EndpointOptions(
            bucket: bucket, region: region,
            endpoint: endpoint ?? Self.variable("AWS_ENDPOINT_URL_S3") ?? Self.variable("AWS_ENDPOINT_URL"),
            addressing: addressing ?? .auto)
    }
}
