import DataFormats
package import Presigning
import Text

/// What a storage whose limits are known would refuse after the upload has begun.
extension PresignRequest {
    /// Returns the field that the storage would refuse; nil if it accepts the request or its limits are unknown.
    package func failure(at storage: KnownProvider?) -> FieldFailure? {
        guard let storage else { return nil }
        if let length = declaredLength, length > Int64(S3Limits.upload), traits.length == .body {
            return FieldFailure(
                "contentLength",
                "\(length) bytes is more than the storage accepts in one request (5 GiB); \(remedyOfLength)")
        }
        guard storage == .aws, let setting = settings.first(where: { $0.name == .storageClass }) else { return nil }
        return StorageClassNames.mistake(in: setting.value).map { FieldFailure(setting.name.rawValue, $0) }
    }

    private var remedyOfLength: String {
        if step == .part { return "use smaller parts" }
        // Share links and Git LFS have no parts.
        return share != nil || isContentAddressed ? "split the file" : "use a multipart upload"
    }
}

/// The storage classes of S3; other storages have others.
package enum StorageClassNames {
    /// Amazon S3 API reference, "PutObject".
    private static let all = [
        "STANDARD", "REDUCED_REDUNDANCY", "STANDARD_IA", "ONEZONE_IA", "INTELLIGENT_TIERING", "GLACIER", "DEEP_ARCHIVE",
        "OUTPOSTS", "GLACIER_IR", "SNOW", "EXPRESS_ONEZONE", "FSX_OPENZFS", "FSX_ONTAP",
    ]

    /// Returns why S3 does not accept this name, with the nearest one, or all if none is near; nil if it does.
    package static func mistake(in name: [UInt8]) -> String? {
        if all.contains(where: { name.elementsEqual($0.utf8) }) { return nil }
        let name = String(decoding: name, as: UTF8.self)
        let suggestion = Suggestion.text(for: name, among: all)
        return "\(name.quoted) is not a storage class of S3"
            + (suggestion.isEmpty ? "; use one of \(all.joined(separator: ", "))" : suggestion)
    }
}
