extension AccessConstraints {
    static let uploadKeys = ["types", "maxSize", "checksum", "overwrite"]
    static let readKeys = ["overrides"]

    mutating func readUploadLimits(_ keys: ConfigurationMapping) throws(ConfigurationError) {
        if let node = keys["types"] { types = try Self.types(node) }
        if let node = keys["maxSize"] { maximumSize = Int64(try node.size(in: 1 ... .max)) }
        if let node = keys["checksum"] {
            guard let algorithm = ChecksumAlgorithm(rawValue: try node.string()) else {
                let known = ChecksumAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
                throw node.error("names an unknown algorithm; known: \(known)")
            }
            checksum = algorithm
        }
        if let node = keys["overwrite"] { overwrite = try node.boolean() }
    }

    mutating func readReadLimits(_ keys: ConfigurationMapping) throws(ConfigurationError) {
        overrides = try keys["overrides"]?.choice(OverridePolicy.self)
    }

    /// S3 takes 1 second to 7 days (AWS, "Authenticating Requests: Using Query Parameters").
    mutating func readExpiry(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["default", "max"])
        let possible = ExpiryLimits.possible
        maximumExpiry = try keys["max"].map { node throws(ConfigurationError) in try Int64(node.seconds(in: possible)) }
        if let node = keys["default"] {
            let seconds = Int64(try node.seconds(in: possible))
            guard seconds <= maximumExpiry ?? .max else { throw node.error("must not be longer than `max`") }
            defaultExpiry = seconds
        }
    }

    private static func types(_ node: ConfigurationNode) throws(ConfigurationError) -> [MediaRange] {
        var types: [MediaRange] = []
        for item in try node.list() {
            guard let range = MediaRange(try item.string()) else {
                throw item.error("must be a content type such as image/png, image/* or \"*/*\"")
            }
            types.append(range)
        }
        if types.isEmpty { throw node.error("must name at least one content type") }
        return types
    }
}
