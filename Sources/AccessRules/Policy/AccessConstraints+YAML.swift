import ConfigurationReading
import HTTP1
import Presigning

extension AccessConstraints {
    static let uploadKeys = ["types", "maxSize", "checksum", "overwrite"]
    static let readKeys = ["overrides"]

    mutating func readUploadLimits(_ keys: ConfigurationMapping) {
        keys.read("types", into: &types, Self.types)
        keys.read("maxSize", into: &maximumSize) { Int64(try $0.size(in: 1 ... .max)) }
        keys.read("checksum", into: &checksum) {
            try $0.choice(ChecksumAlgorithm.self, among: ChecksumAlgorithm.requirable)
        }
        keys.read("overwrite", into: &overwrite) { try $0.boolean() }
    }

    mutating func readReadLimits(_ keys: ConfigurationMapping) {
        keys.read("overrides", into: &overrides) { try $0.choice(OverridePolicy.self) }
    }

    /// S3 takes 1 second to 7 days (AWS, "Authenticating Requests: Using Query Parameters").
    mutating func readExpiry(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["default", "max"])
        let possible = ExpiryLimits.possible
        maximumExpiry = keys.value("max") { Int64(try $0.seconds(in: possible)) }
        if let node = keys["default"] {
            let seconds = Int64(try node.seconds(in: possible))
            guard seconds <= maximumExpiry ?? .max else { throw node.error("must not be longer than `max`") }
            defaultExpiry = seconds
        }
    }

    private static func types(_ node: ConfigurationNode) throws(ConfigurationError) -> [MediaRange] {
        let types = try node.each { item in
            guard let range = MediaRange(try item.string()) else {
                throw item.error("must be a content type such as image/png, image/* or \"*/*\"")
            }
            return range
        }
        if try node.list().isEmpty { throw node.error("must name at least one content type") }
        return types
    }
}
