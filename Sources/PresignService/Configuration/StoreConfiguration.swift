package import AccessRules
import CallerAuthentication
package import DataFormats
package import Presigning
import Requests
package import StorageCredentials
import Text

/// How a storage treats unsigned `x-amz-*` headers. A signature cannot forbid additional headers.
package enum UnsignedHeaders: String, Sendable, CaseIterable {
    /// It refuses the request, as AWS does.
    case refused
    /// It may honour them.
    case unknown
}

/// Whether a storage accepts the id of a multipart upload only at the key that the upload was created for. A signature
/// cannot ensure that, because the storage chooses the id.
package enum UploadIDs: String, Sendable, CaseIterable {
    /// It does, as AWS.
    case bound
    /// It may accept the id at another key.
    case unknown
}

/// A configured store: a bucket, its endpoints, and the source of its credentials.
package struct StoreConfiguration: Sendable {
    /// The name in requests, 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
    package let name: String
    /// Whether requests without a store use this one.
    package let isDefault: Bool
    /// Prepended to every key after the rules have decided; empty, or ends in "/".
    package let prefix: [UInt8]
    /// Settings that are valid but probably unintended.
    package let warnings: [ConfigurationError]
    /// Warnings about names that AWS does not have and about endpoints. The embedded storage uses neither.
    let nameWarnings: [ConfigurationError]
    /// The bucket that URLs point to.
    package private(set) var bucket: S3Bucket
    /// The bucket at the address at which the service reaches it; differs from `bucket` if `publicEndpoint` is set.
    package private(set) var internalBucket: S3Bucket
    /// The service that the configuration names, if its limits are known. The embedded storage in its place keeps them, so
    /// that development refuses what production refuses.
    package let storage: KnownProvider?
    /// The default of `validateObjectExistence`.
    package let validatesExistence: Bool
    /// Whether `/o/{path}` redirects to its objects.
    package let offersLinks: Bool
    /// The position of `challenge: basic`; nil if a link without credentials does not ask for Basic authentication.
    let challengePosition: SourcePosition?
    /// Whether HTML forms are signed for it.
    package let offersForms: Bool
    /// The length in seconds of the windows in which readers get the same URL, for rules without their own; 0 for none.
    package let window: Int
    /// Whether requests to it are signed for clients of Apache Iceberg.
    package let offersIceberg: Bool
    /// Whether listings of its objects are signed.
    package let offersListing: Bool
    /// The source of its credentials, unless `givenCredentials` is set.
    package let credentials: PerRole<CredentialSelection>
    /// How its storage treats `x-amz-*` headers that a client adds to a signed request.
    package let unsignedHeaders: UnsignedHeaders
    /// Whether its storage binds upload ids to keys.
    package let uploadIDs: UploadIDs
    /// The setting `publicEndpoint`; nil if absent.
    let publicEndpoint: String?
    /// The position of `endpoint`; nil for AWS.
    let endpointPosition: SourcePosition?
    /// The embedded storage's credentials, if it replaces the configured storage.
    package private(set) var givenCredentials: Credentials?

    /// The bucket and its address in URLs, for people.
    package var location: String {
        let endpoint = bucket.endpoint
        return "bucket \(bucket.name) at \(endpoint.address)"
            + (endpoint.addressingStyle == .domain ? ", which is the bucket" : "")
            + (endpoint.signedAddress.map { ", signed for \($0)" } ?? "")
    }

    /// Returns the store with the embedded storage in place of the configured one.
    package func served(at endpoint: String, with credentials: Credentials) throws(StorageError) -> StoreConfiguration {
        var store = self
        store.bucket = try S3Bucket(
            S3EndpointOptions(
                bucket: bucket.name, region: bucket.endpoint.region, endpoint: endpoint, addressing: .path))
        store.internalBucket = store.bucket
        store.givenCredentials = credentials
        return store
    }

    /// Reads the section `stores`.
    ///
    /// - Parameter credentials: the default for stores without `credentials`.
    package static func list(
        _ node: ConfigurationNode, credentials: CredentialSelection = .chain
    ) throws(ConfigurationError) -> [StoreConfiguration] {
        let members = try node.members()
        guard !members.isEmpty else { throw node.error("must contain at least one store") }
        let stores = members.compactMap { member in
            node.mistakes.collect(at: member.value) { value in
                if !APIKey.isValidID(member.key.utf8) {
                    node.mistakes.add(
                        ConfigurationError(
                            member.keyPosition,
                            "the store name \(member.key.quoted) is invalid: use 1 to 64 characters of A-Z a-z 0-9 . _ -"
                        ))
                }
                return try StoreConfiguration(
                    member.key, value, isOnly: members.count == 1, credentials: credentials)
            }
        }
        // An invalid store could be the default one.
        if stores.count == members.count, stores.count(where: \.isDefault) != 1 {
            node.mistakes.add(node.error("must have `default: true` in exactly one store"))
        }
        return stores
    }

    private init(
        _ name: String, _ node: ConfigurationNode, isOnly: Bool, credentials: CredentialSelection
    ) throws(ConfigurationError) {
        let keys = try node.mapping([
            "bucket", "region", "default", "prefix", "endpoint", "publicEndpoint", "signedEndpoint", "addressing",
            "accelerate", "dualstack", "fips", "usEast1Endpoint", "validateObjectExistence", "links", "listing",
            "credentials",
            "unsignedHeaders", "uploadIds", "expires", "forms", "iceberg",
        ])
        self.name = name
        prefix = keys.value("prefix", Self.prefix) ?? []
        // Placeholders are not expanded here, so all callers would share one folder.
        warnings =
            prefix.contains(UInt8(ascii: "{"))
            ? [(keys["prefix"] ?? node).error("is used literally: placeholders work only in the paths of rules")] : []
        validatesExistence = keys.value("validateObjectExistence") { try $0.boolean() } ?? false
        (offersLinks, challengePosition) = keys.value("links") { try Self.links($0) } ?? (false, nil)
        offersForms = keys.value("forms") { try $0.boolean() } ?? true
        window = keys.value("expires", Self.window) ?? 0
        offersIceberg = keys.value("iceberg") { try $0.boolean() } ?? false
        offersListing = keys.value("listing") { try $0.boolean() } ?? false
        self.credentials =
            keys.value("credentials") { try PerRole(node: $0, fallback: credentials) } ?? PerRole(both: credentials)
        unsignedHeaders = keys.value("unsignedHeaders") { try $0.choice(UnsignedHeaders.self) } ?? .unknown
        uploadIDs = keys.value("uploadIds") { try $0.choice(UploadIDs.self) } ?? .unknown
        endpointPosition = keys["endpoint"]?.position
        let endpointOptions = StoreEndpoints.options(keys)
        guard let isDefault = keys["default"] == nil ? isOnly : keys.value("default", { try $0.boolean() }),
            let (urls, service) = endpointOptions
        else { throw keys.incomplete }
        self.isDefault = isDefault
        publicEndpoint = keys["publicEndpoint"] == nil ? nil : urls.endpoint
        bucket = try StoreEndpoints.s3Bucket(urls, at: node)
        internalBucket = try StoreEndpoints.s3Bucket(service, at: node)
        nameWarnings = Self.nameWarnings(keys) + StoreEndpoints.warnings(keys, bucket.endpoint, internalBucket.endpoint)
        storage = KnownProvider(service) ?? KnownProvider(urls)
    }

    private static func nameWarnings(_ keys: ConfigurationMapping) -> [ConfigurationError] {
        guard keys["endpoint"] == nil else { return [] }
        let checks = [("bucket", AWSNames.mistake(inBucket:)), ("region", AWSNames.mistake(inRegion:))]
        return checks.compactMap { key, mistake in
            guard let node = keys[key], let name = try? node.string() else { return nil }
            return mistake(name).map { node.error("\(name.quoted) \($0)") }
        }
    }

    /// Reads `links`: whether it offers them, and where it asks for Basic authentication.
    private static func links(_ node: ConfigurationNode) throws(ConfigurationError) -> (Bool, SourcePosition?) {
        guard node.isMapping else { return (try node.boolean(), nil) }
        let challenge = try node.mapping(["challenge"]).value("challenge") { challenge in
            _ = try challenge.word(among: ["basic"])
            return challenge.position
        }
        return (true, challenge)
    }

    /// Reads the section `expires` of a store. The other lifetimes belong to rules and the service.
    private static func window(_ node: ConfigurationNode) throws(ConfigurationError) -> Int {
        try node.mapping(["window"]).value("window") { try $0.seconds(in: URLWindow.possible) } ?? 0
    }

    private static func prefix(_ node: ConfigurationNode) throws(ConfigurationError) -> [UInt8] {
        if node.isEmptyText { return [] }
        let prefix = Array(try node.string().utf8)
        guard prefix.last == UInt8(ascii: "/"), ObjectKeyCheck.refusal(of: prefix.dropLast()) == nil else {
            throw node.error("must be path segments that end in \"/\", such as v1/")
        }
        return prefix
    }
}

extension [StoreConfiguration] {
    /// Returns what the rules depend on in the stores with these names, of which some may have been unreadable.
    package func policies(of names: [String]) -> [AccessPolicy.StorePolicy] {
        names.map { name in
            guard let store = first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return .init(name) }
            return .init(
                name, prefixLength: store.prefix.count, window: store.window > 0 ? store.window : nil,
                offersListing: store.offersListing)
        }
    }

    /// The service of each store whose limits are known, by store name.
    package var storages: [String: KnownProvider] {
        Dictionary(compactMap { store in store.storage.map { (store.name, $0) } }) { first, _ in first }
    }
}
