/// A checksum that a rule may ask an upload to declare, and that is signed then.
package enum ChecksumAlgorithm: String, Sendable, CaseIterable {
    case sha256
}

/// Limits on what a grant allows. A field that is nil sets no limit.
package struct AccessConstraints: Equatable, Sendable {
    /// Content types an upload may have; it must declare one.
    package var types: [MediaRange]?
    /// Bytes an upload may have; it must declare its length.
    package var maximumSize: Int64?
    /// A checksum an upload must declare.
    package var checksum: ChecksumAlgorithm?
    /// False: an upload must not replace an object.
    package var overwrite: Bool?
    /// Response overrides a reader may ask for; nil means `attachment`.
    package var overrides: OverridePolicy?
    /// Seconds a URL lives when the request names none.
    package var defaultExpiry: Int64?
    /// Seconds a URL lives at most.
    package var maximumExpiry: Int64?

    /// No limits.
    package init() {}

    /// Whether an upload has to meet anything.
    var limitsUploads: Bool { types != nil || boundsContent || overwrite == false }

    /// These limits, with another's in place of each that the other sets.
    func overridden(by other: AccessConstraints) -> AccessConstraints {
        var merged = self
        merged.types = other.types ?? types
        merged.maximumSize = other.maximumSize ?? maximumSize
        merged.checksum = other.checksum ?? checksum
        merged.overwrite = other.overwrite ?? overwrite
        merged.overrides = other.overrides ?? overrides
        merged.defaultExpiry = other.defaultExpiry ?? defaultExpiry
        merged.maximumExpiry = other.maximumExpiry ?? maximumExpiry
        return merged
    }
}

/// A limit that a request does not meet.
package enum UnmetConstraint: Equatable, Sendable, CustomStringConvertible {
    case contentType(isMissing: Bool)
    /// Bytes.
    case contentLength(maximum: Int64, isMissing: Bool)
    case checksum(ChecksumAlgorithm)
    /// Seconds.
    case expiresIn(maximum: Int64)
    /// A response override, and what the rule admits.
    case responseOverride(ResponseOverride, admitted: OverridePolicy)

    /// The name of the limit: `contentType`, `contentLength`, `checksum`, `expiresIn`, or the member of an override.
    package var field: String {
        switch self {
        case .contentType: "contentType"
        case .contentLength: "contentLength"
        case .checksum: "checksum"
        case .expiresIn: "expiresIn"
        case .responseOverride(let override, _): override.rawValue
        }
    }

    /// What is wrong and the mend. Names no type that would be allowed: the rule is not the caller's to read.
    package var description: String {
        switch self {
        case .contentType(isMissing: true): "must be given here"
        case .contentType(isMissing: false): "is not among the types allowed here"
        case .contentLength(let maximum, isMissing: true): "must be given here, at most \(maximum)"
        case .contentLength(let maximum, isMissing: false): "must be at most \(maximum)"
        case .checksum(let algorithm): "must be given here: the \(algorithm.rawValue) of the content"
        case .expiresIn(let maximum): "must be at most \(maximum)"
        case .responseOverride(_, admitted: .none): "is not allowed here; remove all response overrides"
        case .responseOverride(.contentDisposition, _):
            "must start with `attachment` here, such as `attachment; filename=\"cat.jpg\"`"
        case .responseOverride:
            "is allowed here only together with a responseContentDisposition that starts with `attachment`"
        }
    }
}
