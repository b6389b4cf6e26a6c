package import DataFormats
import Presigning

/// The service's limits on the lifetime of URLs, in seconds.
package struct ExpiryLimits: Sendable, Equatable {
    /// The lifetimes S3 accepts: 1 second to 7 days (AWS, "Authenticating Requests: Using Query Parameters").
    package static let possible = Presigner.validExpiry

    /// The lifetime for requests that name none; at most `max`.
    package var `default` = 18_000
    /// The longest lifetime a request may name, 1 to 604800.
    package var max = Presigner.validExpiry.upperBound

    /// A default of 5 hours and a maximum of 7 days.
    package init() {}

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["default", "max"])
        keys.read("max", into: &max) { try $0.seconds(in: Self.possible) }
        if let node = keys["default"] {
            self.default = try node.seconds(in: Self.possible)
            guard self.default <= max else {
                throw node.error("must not be longer than `expires.max`, \(max) s; lower it, or raise `expires.max`")
            }
        } else {
            // `max` alone also caps the built-in default.
            self.default = Swift.min(self.default, max)
        }
    }
}

extension ExpiryLimits {
    /// Returns the lifetime of a URL in seconds, before the credentials' remaining life shortens it. The service,
    /// `explain`, `test-rules` and `presign url` all use it.
    ///
    /// - Parameters:
    ///   - requested: The request's `expiresIn` in seconds; nil takes the rule's default, else the service's.
    ///   - constraints: The limits of the rule.
    /// - Throws: What is wrong with `requested`. A default longer than a maximum is shortened instead.
    package func lifetime(
        of requested: Int64?, within constraints: AccessConstraints = AccessConstraints()
    ) throws(ExpiryRefusal) -> Int64 {
        let maximum = maximum(within: constraints)
        guard let requested else { return Swift.min(constraints.defaultExpiry ?? Int64(self.default), maximum) }
        guard Self.possible.contains(Int(requested)) else { throw .impossible(requested) }
        guard requested <= maximum else { throw .tooLong(requested, maximum: maximum) }
        return requested
    }

    /// The maximum lifetime of a URL in seconds.
    ///
    /// - Parameter constraints: The limits of the rule.
    package func maximum(within constraints: AccessConstraints) -> Int64 {
        Swift.min(constraints.maximumExpiry ?? .max, Int64(max))
    }
}

/// The reason why a requested `expiresIn` is refused.
package enum ExpiryRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// S3 accepts no URL with this lifetime in seconds.
    case impossible(Int64)
    /// The requested lifetime and the maximum, in seconds.
    case tooLong(Int64, maximum: Int64)

    /// What is wrong and what is allowed.
    package var description: String {
        switch self {
        case .impossible(let seconds):
            "is \(seconds) seconds; must be 1 to \(ExpiryLimits.possible.upperBound) (7 days)"
        case .tooLong(let seconds, let maximum):
            UnmetConstraint.expiresIn(seconds, maximum: maximum).description
        }
    }
}
