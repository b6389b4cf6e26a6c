import ArgumentParser
import PresignService
import PresignTools
import Presigning
import ServiceRuntime
import StorageCredentials
import System

/// The options that locate an object: a store of the configuration, or a bucket.
struct ObjectLocationOptions: ParsableArguments {
    @Option(help: "The YAML configuration file.", completion: .yaml) var config: String?
    @Option(help: "The store of the configuration (default: its default store).") var store: String?
    @Option(help: "The bucket, without a configuration.") var bucket: String?
    @Option(help: "The region (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's).") var region: String?
    @Option(
        help:
            "The base URL of a storage other than AWS (default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, the profile's).")
    var endpoint: String?
    @Option(help: "How the URL names the bucket (default: auto).") var addressing: S3EndpointOptions.Addressing?

    /// Returns the bucket and the credentials.
    ///
    /// - Parameter urlBucket: the bucket of an `s3://` URL; its key is complete, so the store's prefix does not apply.
    func defaults(urlBucket: String? = nil) throws(ProgramFailure) -> SigningDefaults {
        try reporting(errorsAs: .configuration) {
            if let config {
                return try defaults(of: config, urlBucket)
            }
            return try SigningDefaults(endpoint: try endpointOptions(urlBucket), environment: Environment.value)
        }
    }

    /// Warnings about the bucket's address and about settings of the environment that have no effect.
    func warnings(_ defaults: SigningDefaults) -> [String] {
        let repeatsBucket = defaults.endpoint.flatMap { try? S3Endpoint($0) }?.repeatsBucket ?? false
        return
            (repeatsBucket
            ? [
                "the endpoint already names the bucket, and the URL names it once more; remove it from the endpoint, or"
                    + " use `--addressing domain` if the endpoint is the bucket"
            ] : [])
            + (config == nil ? Self.environment.warnings : defaults.usesChain ? Self.environment.keyWarnings : [])
    }

    private static var environment: AWSSettings { AWSSettings(CredentialVariables(Environment.value)) }

    private func defaults(of file: String, _ urlBucket: String?) throws -> SigningDefaults {
        guard bucket == nil, region == nil, endpoint == nil, addressing == nil else {
            throw ProgramFailure(
                .usage,
                "--bucket, --region, --endpoint and --addressing cannot be combined with --config, whose stores define"
                    + " them; choose a store with --store")
        }
        var configuration = try ConfigurationFile.read(file)
        let index = try storeIndex(in: configuration.stores, of: file, urlBucket)
        try configuration.useLocalStorage(configuredIn: file)
        var defaults = try SigningDefaults(
            store: configuration.stores[index], of: configuration, environment: Environment.value)
        if urlBucket != nil { defaults.prefix = [] }
        return defaults
    }

    /// Returns the index of the store to use: `--store`, else the one with the bucket of the URL, else the default one.
    private func storeIndex(
        in stores: [StoreConfiguration], of file: String, _ urlBucket: String?
    ) throws(ProgramFailure) -> Int {
        if let store {
            guard let index = stores.firstIndex(where: { $0.name.utf8.elementsEqual(store.utf8) }) else {
                let names = stores.map(\.name).joined(separator: ", ")
                throw ProgramFailure(.usage, "--store: \(file) has no store `\(store)`; its stores are \(names)")
            }
            let bucket = stores[index].bucketName
            guard urlBucket == nil || urlBucket == bucket else {
                throw ProgramFailure(
                    .usage,
                    "--store: the bucket of `\(store)` is `\(bucket)`, but the path names `\(urlBucket ?? "")`"
                )
            }
            return index
        }
        let candidates = stores.indices.filter { urlBucket == nil || urlBucket == stores[$0].bucketName }
        if let index = candidates.first(where: { stores[$0].isDefault }) { return index }
        guard let urlBucket else {
            throw ProgramFailure(.usage, "\(file) has no default store; choose a store with --store")
        }
        switch candidates.count {
        case 0: throw ProgramFailure(.usage, "\(file) has no store with the bucket `\(urlBucket)` of the path")
        case 1: return candidates[0]
        default:
            let names = candidates.map { stores[$0].name }.joined(separator: ", ")
            throw ProgramFailure(
                .usage, "the stores \(names) have the bucket `\(urlBucket)` of the path; choose one with --store")
        }
    }

    /// Returns nil if no bucket is named.
    private func endpointOptions(_ urlBucket: String?) throws(ProgramFailure) -> S3EndpointOptions? {
        guard store == nil else { throw ProgramFailure(.usage, "--store requires --config") }
        if let bucket, let urlBucket, bucket != urlBucket {
            throw ProgramFailure(
                .usage, "--bucket is `\(bucket)`, but the path names the bucket `\(urlBucket)`; leave out --bucket")
        }
        guard let bucket = bucket ?? urlBucket else {
            guard endpoint == nil, addressing == nil else {
                throw ProgramFailure(.usage, "--endpoint and --addressing require --bucket")
            }
            return nil
        }
        guard let region = region ?? Self.environment.region else {
            throw ProgramFailure(
                .usage, "the region of the bucket `\(bucket)` is missing; pass --region or set AWS_REGION")
        }
        return S3EndpointOptions(
            bucket: bucket, region: region,
            endpoint: endpoint ?? Self.environment.endpoint(of: "s3")?.url,
            addressing: addressing ?? .auto)
    }
}

extension StoreConfiguration {
    fileprivate var bucketName: String { bucket.endpoint.options.bucket }
}
