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

extension ExpiryLimits {
    /// Returns how long a URL lives, in seconds, before the credentials' remaining life shortens it. The service,
    /// `explain`, `test-rules` and `presign url` all decide it here.
    ///
    /// - Parameters:
    ///   - requested: the request's `expiresIn`, in seconds; nil takes the rule's default, else the service's.
    ///   - ruleDefault: the rule's default, in seconds.
    ///   - ruleMaximum: the rule's maximum, in seconds.
    /// - Throws: what is wrong with `requested`. A default longer than a maximum is shortened instead.
    package func lifetime(
        of requested: Int64?, ruleDefault: Int64? = nil, ruleMaximum: Int64? = nil
    ) throws(ExpiryRefusal) -> Int64 {
        let maximum = Swift.min(ruleMaximum ?? .max, Int64(max))
        guard let requested else { return Swift.min(ruleDefault ?? Int64(self.default), maximum) }
        guard Self.possible.contains(Int(requested)) else { throw .impossible(requested) }
        guard requested <= maximum else { throw .tooLong(requested, maximum: maximum) }
        return requested
    }
}

/// Why a requested `expiresIn` is refused.
package enum ExpiryRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// S3 accepts no URL with this lifetime, in seconds.
    case impossible(Int64)
    /// The seconds requested, and those allowed.
    case tooLong(Int64, maximum: Int64)

    /// What is wrong and what is allowed.
    package var description: String {
        switch self {
        case .impossible(let seconds):
            "\(seconds) is outside 1...\(ExpiryLimits.possible.upperBound) seconds"
        case .tooLong(let seconds, let maximum):
            UnmetConstraint.expiresIn(seconds, maximum: maximum).description
        }
    }
}
