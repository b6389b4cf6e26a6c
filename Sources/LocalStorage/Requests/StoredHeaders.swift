import Presigning
import Text

/// The headers of an upload that are stored with the object and returned with it.
///
/// Source: Amazon S3 user guide, "Working with object metadata".
enum StoredHeaders {
    /// The standard headers that are stored, besides `x-amz-meta-*`.
    static let standard = [
        "content-type", "cache-control", "content-disposition", "content-encoding", "content-language", "expires",
    ]
    /// Settings of S3 that are stored and returned but have no effect: there is one storage class and no encryption.
    private static let settings = [
        "x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id", "x-amz-storage-class",
    ]
    private static let metadataPrefix = "x-amz-meta-"
    private static let tagCountHeader = "x-amz-tagging-count"

    /// What a stored header belongs to. A copy of an object takes each from the object or from the request.
    enum Kind {
        case metadata, setting, tags

        init(_ name: [UInt8]) {
            self =
                if settings.contains(where: { name.elementsEqual($0.utf8) }) {
                    .setting
                } else {
                    name.elementsEqual(tagCountHeader.utf8) ? .tags : .metadata
                }
        }
    }

    /// Headers for features that the local storage does not have and must not silently ignore.
    private static let refused: [(prefix: String, feature: String)] = [
        ("x-amz-server-side-encryption-customer-", "encryption with customer-provided keys"),
        ("x-amz-object-lock-", "object locks"), ("x-amz-grant-", "access control lists"),
        ("x-amz-website-redirect-location", "website redirects"),
        ("x-amz-write-offset-bytes", "appending"),
        ("x-amz-copy-source-server-side-encryption-customer-", "encryption with customer-provided keys"),
        ("x-amz-if-match-", "conditions on size and time"),
    ]
    private static let checksums =
        ["algorithm", "mode", "type"].map { "x-amz-checksum-\($0)" } + ChecksumAlgorithm.allCases.map(\.header)

    /// Returns the headers to store, with names in lower case and in a fixed order.
    static func of(_ request: S3Request) throws(S3Error) -> [S3Request.Field] {
        var kept: [S3Request.Field] = []
        for name in standard + settings {
            guard var value = request.header(name) else { continue }
            if name == "content-encoding" { value = Self.withoutChunking(value) }
            guard !value.isEmpty else { continue }
            // S3 does not return its default storage class.
            let isDefault = name == "x-amz-storage-class" && value.elementsEqual("STANDARD".utf8)
            if !isDefault { kept.append((Array(name.utf8), value)) }
        }
        if let count = try tagCount(request) {
            kept.append((Array(tagCountHeader.utf8), Array("\(count)".utf8)))
        }
        let names = Set(request.headers.map(\.name).filter { $0.starts(with: metadataPrefix.utf8) })
        var size = 0
        for name in names.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            let values = request.headers.filter { $0.name == name }.map(\.value)
            let value = Array(values.joined(separator: ",".utf8))
            size += name.count - metadataPrefix.utf8.count + value.count
            kept.append((name, value))
        }
        guard size <= S3Limits.metadata else {
            throw S3Error(
                400, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size",
                [("Size", Array("\(size)".utf8)), ("MaxSizeAllowed", Array("\(S3Limits.metadata)".utf8))])
        }
        return kept
    }

    /// Returns a `Content-Encoding` without the coding that is only used in the request.
    private static func withoutChunking(_ codings: [UInt8]) -> [UInt8] {
        guard codings.containsToken("aws-chunked") else { return codings }
        let kept = codings.split(separator: ASCII.comma).map(\.trimmed).filter {
            !$0.span.equalsIgnoringCase("aws-chunked")
        }
        return Array(kept.joined(separator: ", ".utf8))
    }

    /// Returns the number of tags, which is all that a response tells about them; nil without tags.
    ///
    /// Source: Amazon S3 API reference, "PutObject" and "GetObject".
    private static func tagCount(_ request: S3Request) throws(S3Error) -> Int? {
        guard let text = request.header("x-amz-tagging"), !text.isEmpty else { return nil }
        let tags = text.split(separator: UInt8(ascii: "&"))
        guard tags.count <= S3Limits.tags, tags.allSatisfy({ $0.contains(UInt8(ascii: "=")) }) else {
            throw .invalidArgument(
                "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag "
                    + "name duplicates.", name: "x-amz-tagging", value: text)
        }
        return tags.count
    }

    /// Throws for headers of unsupported features, for any operation.
    static func check(_ request: S3Request) throws(S3Error) {
        for (name, _) in request.headers {
            if let (_, feature) = refused.first(where: { name.starts(with: $0.prefix.utf8) }) {
                throw .notImplemented(feature, header: String(decoding: name, as: UTF8.self))
            }
            if name.starts(with: "x-amz-checksum-".utf8), !checksums.contains(where: { name.elementsEqual($0.utf8) }) {
                throw .notImplemented("this checksum algorithm", header: String(decoding: name, as: UTF8.self))
            }
        }
    }
}
