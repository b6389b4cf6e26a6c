import CommandLineParsing
import PresignService
import Presigning
import SystemInterface

/// Where the object of an offline URL is: a store of the configuration, or a bucket given by options.
struct PlaceOptions {
    private let config: String?
    private let store: String?
    private let bucket: String?
    private let region: String?
    private let endpoint: String?
    private let addressing: S3EndpointOptions.Addressing

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
        addressing =
            arguments.choice("addressing", help: "How the bucket gets into the URL: auto (default), virtual or path.")
            ?? .auto
    }

    /// The bucket and the credentials that a request may leave out.
    func defaults() throws(CommandFailure) -> SigningDefaults {
        let configured = try config.map(store(in:))
        do {
            if let configured {
                return try SigningDefaults(
                    store: configured.store, expires: configured.expires, environment: Self.variable)
            }
            return try SigningDefaults(
                endpoint: try options(), source: CredentialSelection.chain.source(environment: Self.variable))
        } catch let failure as CredentialFailure {
            throw CommandFailure(.configuration, failure.description)
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.configuration, "\(error)")
        }
    }

    private static let variable: @Sendable (String) -> String? = { Environment.value($0) }

    private func store(in file: String) throws(CommandFailure) -> (store: StoreConfiguration, expires: ExpiryLimits) {
        guard bucket == nil, region == nil, endpoint == nil else {
            throw CommandFailure(.usage, "--bucket, --region and --endpoint do not go with --config; use --store")
        }
        let configuration = try ConfigurationFile.read(file)
        let wanted = configuration.stores.first { candidate in store.map { $0 == candidate.name } ?? candidate.isDefault
        }
        guard let wanted else {
            throw CommandFailure(
                .usage,
                store.map { "--store: \(file) has no store \($0)" } ?? "\(file) has no default store; give --store")
        }
        return (wanted, configuration.expires)
    }

    /// nil when no bucket is named: the lines of a batch may name theirs.
    private func options() throws(CommandFailure) -> S3EndpointOptions? {
        guard store == nil else { throw CommandFailure(.usage, "--store needs --config") }
        guard let bucket else { return nil }
        guard let region = region ?? Self.variable("AWS_REGION") ?? Self.variable("AWS_DEFAULT_REGION") else {
            throw CommandFailure(.usage, "--bucket needs --region, or AWS_REGION in the environment")
        }
        return S3EndpointOptions(
            bucket: bucket, region: region,
            endpoint: endpoint ?? Self.variable("AWS_ENDPOINT_URL_S3") ?? Self.variable("AWS_ENDPOINT_URL"),
            addressing: addressing)
    }
}
