package import ConfigurationReading
import Presigning

/// How long URLs live, in seconds.
package struct ExpiryLimits: Sendable, Equatable {
    /// S3 takes 7 days at most (AWS, "Authenticating Requests: Using Query Parameters").
    package static let possible = Presigner.validExpiry

    /// When a request names none; at most `max`.
    package var `default` = 18_000
    /// What a request may ask for, 1...604800.
    package var max = Presigner.validExpiry.upperBound

    /// The defaults.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["default", "max"])
        keys.read("max", into: &max) { try $0.seconds(in: Self.possible) }
        if let node = keys["default"] {
            self.default = try node.seconds(in: Self.possible)
            guard self.default <= max else { throw node.error("must not be longer than `expires.max`") }
        } else {
            // A lower ceiling alone means that what names no expiry gets that ceiling.
            self.default = Swift.min(self.default, max)
        }
    }
}
