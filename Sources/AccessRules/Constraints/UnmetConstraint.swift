package import Presigning
package import Requests
import Text

/// A limit that a request does not meet: the field it concerns, the value declared, and what the rule allows.
package enum UnmetConstraint: Equatable, Sendable, CustomStringConvertible {
    /// The declared content type, if any, and the allowed types.
    case contentType(String?, allowed: [MediaRange])
    /// The declared length in bytes, if any, and the maximum.
    case contentLength(Int64?, maximum: Int64)
    /// The declared length of a part in bytes, if any, its number, and the maximum.
    case partLength(Int64?, number: Int64, maximum: Int64)
    /// The number of a part, if any, and the number of the last part within the maximum size.
    case partNumber(Int64?, maximum: Int64)
    /// The checksum that the rule requires.
    case checksum(ChecksumAlgorithm)
    /// The requested lifetime in seconds, and the maximum.
    case expiresIn(Int64, maximum: Int64)
    /// A response override, and the policy of the rule.
    case responseOverride(ResponseOverride, allowed: OverridePolicy)
    /// The algorithm of the parts' checksums that the rule requires.
    case checksumAlgorithm(ChecksumAlgorithm)
    /// A setting that the rule does not let callers choose.
    case unacceptedSetting(UploadSetting)
    /// The value that the rule sets, where the request has another.
    case contradictedSetting(required: UploadSetting)
    /// The request's settings are valid, but not together with those that the rule adds.
    case excessiveSettings(InvalidUploadSetting)
    /// The rule sets an access control list, which is not offered for share links and Git LFS.
    case unshareableACL
    /// A version is requested by its id.
    case version
    /// An HTML form is requested, and the rule limits no size.
    case formOfAnySize
    /// An HTML form is requested, and the rule forbids to replace objects.
    case formReplacesObject
    /// A share link, whose lifetime in seconds is more than the maximum; 0 if the rule allows none.
    case share(Int64, maximum: Int64)

    /// The field in the questions and results of `explain` and `test-rules`.
    package var field: String {
        switch self {
        case .contentType: "contentType"
        case .contentLength, .partLength: "contentLength"
        case .partNumber: "partNumber"
        case .checksum: "checksum"
        case .expiresIn: "expiresIn"
        case .responseOverride(let override, _): override.rawValue
        case .checksumAlgorithm: "checksumAlgorithm"
        case .unacceptedSetting(let setting), .contradictedSetting(let setting): setting.name.rawValue
        case .excessiveSettings(let flaw): flaw.name.rawValue
        case .unshareableACL: UploadSetting.Name.acl.rawValue
        case .version: "versionId"
        case .formOfAnySize, .formReplacesObject: "form"
        case .share(_, let maximum): maximum == 0 ? "share" : "expiresIn"
        }
    }

    /// The metadata entry or tag within the field, if the limit concerns one.
    package var entry: [UInt8]? {
        switch self {
        case .unacceptedSetting(let setting), .contradictedSetting(let setting): setting.entry
        case .excessiveSettings(let flaw): flaw.entry
        default: nil
        }
    }

    /// The field in a request to the service.
    package var requestField: String { if case .checksum = self { "checksumSHA256" } else { field } }

    /// What is wrong with the field and what is allowed, for the caller. It does not repeat the field.
    package var description: String {
        switch self {
        case .contentType(nil, let allowed): "is missing; must be \(allowed.map(\.description).alternatives)"
        case .contentType(let declared?, let allowed)
        where allowed.contains { $0.isRange && $0 == MediaRange(declared) }:
            "\(declared.quoted) is a range of types; send one type"
        case .contentType(let declared?, let allowed):
            (declared.isEmpty ? "is empty" : "\(declared.quoted) is not allowed here")
                + "; must be \(allowed.map(\.description).alternatives)"
        case .contentLength(nil, let maximum): "is missing; must be at most \(ByteSize(maximum))"
        case .contentLength(let declared?, let maximum):
            "\(declared) bytes is more than this rule allows (\(ByteSize(maximum)))"
        case .partLength(nil, let number, let maximum):
            "is missing; part \(number) may have at most \(ByteSize(maximum))"
        case .partLength(let declared?, let number, let maximum):
            "\(declared) bytes is more than this rule allows for part \(number) (\(ByteSize(maximum)))"
        case .partNumber(nil, let maximum): "is missing; must be 1 to \(maximum)"
        case .partNumber(let number?, let maximum):
            "\(number) is not one of the parts that this rule allows (1 to \(maximum))"
        case .checksum(let algorithm): "is missing; this rule requires the \(algorithm.rawValue) of the content"
        case .expiresIn(let requested, let maximum):
            "\(requested) seconds is more than the maximum (\(maximum) seconds)"
        case .responseOverride(_, allowed: .none): "is not allowed by this rule; remove all response overrides"
        case .responseOverride(.contentDisposition, _):
            "must start with `attachment`, for example `attachment; filename=\"cat.jpg\"`"
        case .responseOverride:
            "requires a responseContentDisposition that starts with `attachment`"
        case .checksumAlgorithm(let algorithm): "must be \(algorithm.name), which this rule requires"
        case .unacceptedSetting: "is not accepted by this rule; omit it"
        case .contradictedSetting(let required):
            "must be \(String(decoding: required.value, as: UTF8.self).quoted), which this rule sets; omit it"
        case .excessiveSettings(let flaw): flaw.reason + ", with the values that this rule sets"
        case .unshareableACL:
            "is set by this rule, and share links and Git LFS cannot carry it; upload with a URL of POST /presign"
        case .version: "is not allowed by this rule; omit it for the current version"
        case .formOfAnySize: "is not allowed by this rule, because it has no `maxSize`; send PUT instead"
        case .formReplacesObject:
            "is not allowed by this rule, because it has `overwrite: false` and a form can replace an object; send PUT"
        case .share(_, maximum: 0): "is not allowed by this rule; omit it for a URL of the storage"
        case .share(let seconds, let maximum):
            "\(seconds) seconds is more than this rule allows for share links (\(maximum) seconds)"
        }
    }
}

extension ChecksumAlgorithm {
    /// The checksums that a rule can require and a request can declare.
    package static let requirable: [ChecksumAlgorithm] = [.sha256]
}

/// A number of bytes in the largest unit that needs no fraction: `10 MiB`, `1536 KiB`, `1000 bytes`.
struct ByteSize: CustomStringConvertible {
    private let bytes: Int64

    init(_ bytes: Int64) { self.bytes = bytes }

    var description: String {
        let units = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)]
        for (name, shift) in units where bytes > 0 && bytes % (1 << shift) == 0 { return "\(bytes >> shift) \(name)" }
        return "\(bytes) bytes"
    }
}
