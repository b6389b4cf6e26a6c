import AccessRules
import CallerAuthentication
package import ConfigurationReading
package import Presigning
package import StorageCredentials

/// What a storage does with `x-amz-*` headers that are not signed. Their absence cannot be signed.
package enum UnsignedHeaders: String, Sendable, CaseIterable {
    /// It refuses the request, as AWS does.
    case refused
    /// It may honour them.
    case unknown
}

/// One configured store: a bucket, the endpoints it is reached at, and the credentials that sign for it.
package struct StoreConfiguration: Sendable {
    /// The name that requests give, 1 to 64 of `A-Z a-z 0-9 . _ -`.
    package let name: String
    /// Whether requests that name no store mean this one.
    package let isDefault: Bool
    /// Put before every key after the decision; empty, or ends in "/".
    package let prefix: [UInt8]
    /// What is allowed but hardly meant.
    package let warnings: [ConfigurationError]
    /// Names of the bucket and the region that AWS cannot have, where the store is at AWS.
    let nameWarnings: [ConfigurationError]
    /// What URLs name.
    package private(set) var bucket: S3Bucket
    /// Where the service itself sends the existence check; differs from `bucket` when `publicEndpoint` is set.
    package private(set) var internalBucket: S3Bucket
    /// Whether a GET is checked when the request does not say.
    package let validatesExistence: Bool
    /// Whether `GET /o/{path}` leads to its objects.
    package let offersLinks: Bool
    /// Where its credentials come from, unless they are given.
    package let credentials: PerRole<CredentialSelection>
    /// What its storage does with `x-amz-*` headers that a client adds to a signed request.
    package let unsignedHeaders: UnsignedHeaders
    /// Where `endpoint` is set; nil for AWS.
    let endpointPosition: SourcePosition?
    /// Those of the embedded storage, when that stands in for the configured one.
    package private(set) var givenCredentials: Credentials?

    /// The same store, at the embedded storage instead of where the configuration says.
    package func served(at endpoint: String, with credentials: Credentials) throws(StorageError) -> StoreConfiguration {
        var store = self
        store.bucket = try S3Bucket(
            S3EndpointOptions(
                bucket: bucket.name, region: bucket.endpoint.region, endpoint: endpoint, addressing: .path))
        store.internalBucket = store.bucket
        store.givenCredentials = credentials
        return store
    }

    /// Reads the section `stores`: names and their settings.
    ///
    /// - Parameter credentials: of the stores that say nothing of theirs.
    package static func list(
        _ node: ConfigurationNode, credentials: CredentialSelection = .chain
    ) throws(ConfigurationError) -> [StoreConfiguration] {
        let members = try node.members()
        guard !members.isEmpty else { throw node.error("must hold at least one store") }
        let stores = members.compactMap { member in
            node.mistakes.collect(at: member.value) { value in
                guard isValidName(member.key) else {
                    throw ConfigurationError(member.keyPosition, "a store's name is 1 to 64 of A-Z a-z 0-9 . _ -")
                }
                return try StoreConfiguration(
                    member.key, value, isOnly: members.count == 1, credentials: credentials)
            }
        }
        // Of a store with a mistake it is not known whether it is the default one.
        if stores.count == members.count, stores.count(where: \.isDefault) != 1 {
            node.mistakes.add(node.error("needs `default: true` at exactly one store"))
        }
        return stores
    }

    private static func isValidName(_ name: String) -> Bool {
        APIKey.isValidID(name.utf8)
    }

    private init(
        _ name: String, _ node: ConfigurationNode, isOnly: Bool, credentials: CredentialSelection
    ) throws(ConfigurationError) {
        let keys = try node.mapping([
            "bucket", "region", "default", "prefix", "endpoint", "publicEndpoint", "addressing", "accelerate",
            "dualstack", "fips", "usEast1Endpoint", "validateObjectExistence", "links", "credentials",
            "unsignedHeaders",
        ])
        self.name = name
        isDefault = keys.value("default") { try $0.boolean() } ?? isOnly
        prefix = keys.value("prefix", Self.prefix) ?? []
        // Taken for a placeholder it would put all callers into one folder.
        warnings =
            prefix.contains(UInt8(ascii: "{"))
            ? [(keys["prefix"] ?? node).error("is taken as it stands: placeholders are for the paths of rules")] : []
        nameWarnings = Self.nameWarnings(keys)
        validatesExistence = keys.value("validateObjectExistence") { try $0.boolean() } ?? false
        offersLinks = keys.value("links") { try $0.boolean() } ?? false
        self.credentials =
            keys.value("credentials") { try PerRole(node: $0, fallback: credentials) } ?? PerRole(both: credentials)
        unsignedHeaders = keys.value("unsignedHeaders") { try $0.choice(UnsignedHeaders.self) } ?? .unknown
        endpointPosition = keys["endpoint"]?.position
        internalBucket = try Self.s3Bucket(node, keys, endpointKey: "endpoint")
        bucket =
            keys["publicEndpoint"] == nil
            ? internalBucket : try Self.s3Bucket(node, keys, endpointKey: "publicEndpoint")
        if let node = keys["publicEndpoint"], keys["endpoint"] == nil {
            throw node.error("needs `endpoint`, where the service itself reaches the store")
        }
    }

    private static func nameWarnings(_ keys: ConfigurationMapping) -> [ConfigurationError] {
        guard keys["endpoint"] == nil else { return [] }
        let checks = [("bucket", AWSNames.mistake(inBucket:)), ("region", AWSNames.mistake(inRegion:))]
        return checks.compactMap { key, mistake in
            guard let node = keys[key], let name = try? node.string() else { return nil }
            return mistake(name).map { node.error("`\(name)` \($0)") }
        }
    }

    private static func prefix(_ node: ConfigurationNode) throws(ConfigurationError) -> [UInt8] {
        if node.isEmptyText { return [] }
        let prefix = Array(try node.string().utf8)
        guard prefix.last == UInt8(ascii: "/"), ObjectKeyCheck.refusal(of: prefix.dropLast()) == nil else {
            throw node.error("must be path segments that end in \"/\", such as v1/")
        }
        return prefix
    }

    private static func s3Bucket(
        _ node: ConfigurationNode, _ keys: ConfigurationMapping, endpointKey: String
    ) throws(ConfigurationError) -> S3Bucket {
        let options = S3EndpointOptions(
            bucket: try keys.required("bucket").string(), region: try keys.required("region").string(),
            endpoint: try keys[endpointKey]?.string(),
            addressing: try keys["addressing"]?.choice(S3EndpointOptions.Addressing.self) ?? .auto,
            accelerate: try keys["accelerate"]?.boolean() ?? false,
            dualstack: try keys["dualstack"]?.boolean() ?? false, fips: try keys["fips"]?.boolean() ?? false,
            usEast1Endpoint: try keys["usEast1Endpoint"]?.choice(S3EndpointOptions.USEast1Endpoint.self) ?? .regional)
        do {
            return try S3Bucket(options)
        } catch .validation(let field, let description, let suggestion) {
            // The core names its own option; the place is that key's, or the store's when it is not in the file.
            let names = ["useAccelerateEndpoint": "accelerate", "endpoint": endpointKey]
            throw (keys[names[field] ?? field] ?? node).error("\(description) \(suggestion)")
        } catch {
            throw node.error(error.description)
        }
    }
}

extension [StoreConfiguration] {
    /// Bytes of each store's prefix, by its name.
    package var prefixLengths: [String: Int] {
        Dictionary(map { ($0.name, $0.prefix.count) }) { first, _ in first }
    }
}
