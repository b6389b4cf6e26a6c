import DataFormats
import Presigning

/// The settings of a store that determine its addresses.
enum StoreEndpoints {
    /// Reads the options of the endpoints. Each option is checked together with the valid ones before it, so that all
    /// errors are collected.
    ///
    /// - Returns: the options for URLs and for the service's own requests, or nil after an error.
    static func options(_ keys: ConfigurationMapping) -> (urls: S3EndpointOptions, service: S3EndpointOptions)? {
        let unmetNeeds = unmetNeeds(keys)
        var options = S3EndpointOptions(bucket: "bucket", region: "us-east-1")
        var areValid = true
        func read<Value>(
            _ key: String, _ option: WritableKeyPath<S3EndpointOptions, Value>,
            _ body: (ConfigurationNode) throws -> Value
        ) {
            let checked = keys.value(key) { node in
                var checked = options
                checked[keyPath: option] = try body(node)
                _ = try s3Bucket(checked, at: node)
                return checked
            }
            if let checked { options = checked } else if keys[key] != nil { areValid = false }
        }
        // Replaces an absent endpoint until one is read, because some options are valid only with an endpoint.
        let placeholder = "https://localhost"
        if !lacks("endpoint", keys) || !unmetNeeds.isEmpty { options.endpoint = placeholder }
        read("addressing", \.addressing) { try $0.choice(S3EndpointOptions.Addressing.self) }
        read("publicEndpoint", \.endpoint) { try $0.string() }
        if areValid { read("signedEndpoint", \.signedEndpoint) { try $0.string() } }
        let publicEndpoint = keys["publicEndpoint"] == nil ? nil : options.endpoint
        let signedEndpoint = options.signedEndpoint
        options.signedEndpoint = nil
        read("endpoint", \.endpoint) { try $0.string() }
        // Replaces an invalid endpoint, so that the other options are not checked against the rules of AWS.
        if !areValid, keys["endpoint"] != nil { options.endpoint = placeholder }
        for key in ["bucket", "region"] where keys.required(key, { $0 }) == nil { areValid = false }
        read("bucket", \.bucket) { try $0.string() }
        read("region", \.region) { try $0.string() }
        read("dualstack", \.dualstack) { try $0.boolean() }
        read("fips", \.fips) { try $0.boolean() }
        read("accelerate", \.accelerate) { try $0.boolean() }
        read("usEast1Endpoint", \.usEast1Endpoint) { try $0.choice(S3EndpointOptions.USEast1Endpoint.self) }
        for need in unmetNeeds { keys.mistakes.add(need) }
        guard areValid, unmetNeeds.isEmpty else { return nil }
        var urls = options
        (urls.endpoint, urls.signedEndpoint) = (publicEndpoint ?? options.endpoint, signedEndpoint)
        // A service that uses the public address itself is behind the same proxy.
        return (urls, publicEndpoint == options.endpoint ? urls : options)
    }

    /// Returns the errors of settings that need another one, which is missing.
    private static func unmetNeeds(_ keys: ConfigurationMapping) -> [ConfigurationError] {
        var mistakes: [ConfigurationError] = []
        if let node = keys["publicEndpoint"], lacks("endpoint", keys) {
            mistakes.append(
                node.error("needs `endpoint`, the address at which the service itself reaches the store"))
        }
        if let node = keys["signedEndpoint"], lacks("publicEndpoint", keys) {
            mistakes.append(
                node.error("needs `publicEndpoint`, the address in URLs, which the proxy changes to this one"))
        }
        if let node = keys["addressing"], keys["publicEndpoint"] == nil, lacks("endpoint", keys),
            (try? node.choice(S3EndpointOptions.Addressing.self)) == .domain
        {
            mistakes.append(node.error("is domain, which needs `endpoint`, the address of the bucket"))
        }
        return mistakes
    }

    private static func lacks(_ key: String, _ keys: ConfigurationMapping) -> Bool {
        keys[key] == nil && !keys.isMisspelled(key)
    }

    static func s3Bucket(
        _ options: S3EndpointOptions, at node: ConfigurationNode
    ) throws(ConfigurationError) -> S3Bucket {
        do {
            return try S3Bucket(options)
        } catch .validation(_, let description, let suggestion) {
            throw ConfigurationError(node.position, "`\(node.path)`: \(description) \(suggestion)")
        } catch {
            throw node.error(error.description)
        }
    }

    /// Returns warnings about valid endpoints for which signatures probably fail.
    ///
    /// - Parameters:
    ///   - urls: the endpoint of URLs.
    ///   - service: the endpoint of the service's own requests.
    static func warnings(
        _ keys: ConfigurationMapping, _ urls: S3Endpoint, _ service: S3Endpoint
    ) -> [ConfigurationError] {
        var warnings: [ConfigurationError] = []
        let signed = keys["signedEndpoint"] ?? keys["publicEndpoint"]
        for (node, endpoint) in [(keys["endpoint"], service), (signed, urls)] where endpoint.repeatsBucket {
            guard let node else { continue }
            let bucket = endpoint.options.bucket
            warnings.append(
                node.error(
                    "already names the bucket `\(bucket)`, and URLs name it once more, so objects may be stored below"
                        + " `\(bucket)/`; remove it there, or set `addressing: domain` if the endpoint is the bucket"))
        }
        if let node = keys["publicEndpoint"], keys["signedEndpoint"] == nil, urls.basePath != service.basePath {
            warnings.append(
                node.error(
                    "has another path than `endpoint`; a proxy that changes the path makes signatures invalid unless"
                        + " `signedEndpoint` is set to the address that the storage sees"))
        }
        return warnings
    }
}
