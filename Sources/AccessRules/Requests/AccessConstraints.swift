package import HTTP1
package import Presigning
import Text

extension ChecksumAlgorithm {
    /// The checksums that a rule can require and a request can declare.
    package static let requirable: [ChecksumAlgorithm] = [.sha256]
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
    /// The type declared, if any, and those allowed.
    case contentType(String?, allowed: [MediaRange])
    /// The bytes declared, if any, and those allowed.
    case contentLength(Int64?, maximum: Int64)
    case checksum(ChecksumAlgorithm)
    /// The seconds asked for, and those allowed.
    case expiresIn(Int64, maximum: Int64)
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

    /// What was declared and what is allowed.
    package var description: String {
        switch self {
        case .contentType(let given, let allowed):
            (given.map { "\(String($0.unicodeScalars.prefix(64))) is not allowed here" } ?? "is missing")
                + "; must be \(allowed.map(\.description).alternatives)"
        case .contentLength(nil, let maximum): "is missing; must be at most \(ByteSize(maximum))"
        case .contentLength(let given?, let maximum):
            "\(given) bytes is more than this rule allows (\(ByteSize(maximum)))"
        case .checksum(let algorithm): "must be given here: the \(algorithm.rawValue) of the content"
        case .expiresIn(let given, let maximum): "\(given) seconds is more than is allowed here (\(maximum))"
        case .responseOverride(_, admitted: .none): "is not allowed here; remove all response overrides"
        case .responseOverride(.contentDisposition, _):
            "must start with `attachment` here, such as `attachment; filename=\"cat.jpg\"`"
        case .responseOverride:
            "is allowed here only together with a responseContentDisposition that starts with `attachment`"
        }
    }
}

/// A number of bytes, written with the largest unit that needs no fraction: `10 MiB`, `1536 KiB`, `1000 bytes`.
struct ByteSize: CustomStringConvertible {
    private let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    var description: String {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        for (name, shift) in units where bytes > 0 && bytes % (1 << shift) == 0 { return "\(bytes >> shift) \(name)" }
        return "\(bytes) bytes"
    }
}
