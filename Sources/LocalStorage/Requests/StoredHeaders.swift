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
    /// The header of an object's encryption, with which the names of its details begin.
    static let encryption = "x-amz-server-side-encryption"
    private static let accessControlHeader = "x-amz-acl"
    /// Settings of S3 that are stored and returned but have no effect: there is one storage class, no encryption, and
    /// every request needs the store's credentials.
    private static let settings = [
        encryption, "\(encryption)-aws-kms-key-id", "\(encryption)-bucket-key-enabled", "x-amz-storage-class",
        accessControlHeader,
    ]
    private static let accessControlLists = ["private", "bucket-owner-full-control", publicList]
    private static let publicList = "public-read"
    private static let metadataPrefix = "x-amz-meta-"
    private static let tagsHeader = "x-amz-tagging"
    /// What a response tells about tags. Earlier versions stored it instead of them.
    private static let tagCountHeader = "x-amz-tagging-count"

    /// What a stored header belongs to. A copy of an object takes each from the object or from the request.
    enum Kind {
        case metadata, setting, tags

        init(_ name: [UInt8]) {
            self =
                if settings.contains(where: { name.elementsEqual($0.utf8) }) {
                    .setting
                } else {
                    name.starts(with: tagsHeader.utf8) ? .tags : .metadata
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
            if name == accessControlHeader { try checkAccessControl(value) }
            // S3 does not return its default storage class.
            let isDefault = name == "x-amz-storage-class" && value.elementsEqual("STANDARD".utf8)
            if !isDefault { kept.append((Array(name.utf8), value)) }
        }
        if let text = request.header(tagsHeader), try !ObjectTags(text).list.isEmpty {
            kept.append((Array(tagsHeader.utf8), text))
        }
        let metadata = request.headers.filter { $0.name.starts(with: metadataPrefix.utf8) }
        kept += metadata.sorted { $0.name.lexicographicallyPrecedes($1.name) }
        let size = metadata.reduce(0) { $0 + $1.name.count - metadataPrefix.utf8.count + $1.value.count }
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

    /// Throws for an access control list that a bucket of today refuses, except the one that many tools send.
    ///
    /// Source: Amazon S3 user guide, "Controlling ownership of objects and disabling ACLs for your bucket".
    private static func checkAccessControl(_ list: [UInt8]) throws(S3Error) {
        guard accessControlLists.contains(where: { list.elementsEqual($0.utf8) }) else {
            throw S3Error(
                400, "AccessControlListNotSupported", "The bucket does not allow ACLs",
                [("ArgumentName", Array(accessControlHeader.utf8)), ("ArgumentValue", list)])
        }
    }

    /// Returns the headers that a download has: of tags only the number, and no access control list.
    static func shown(_ stored: [S3Request.Field]) -> [S3Request.Field] {
        stored.compactMap { field in
            if field.name.elementsEqual(accessControlHeader.utf8) { return nil }
            guard field.name.elementsEqual(tagsHeader.utf8) else { return field }
            let count = (try? ObjectTags(field.value).list.count) ?? 0
            return (Array(tagCountHeader.utf8), Array("\(count)".utf8))
        }
    }

    /// Returns the tags of an object. Throws if an earlier version has stored only their number.
    static func tags(of stored: [S3Request.Field]) throws(S3Error) -> [ObjectTags.Tag] {
        guard !stored.contains(where: { $0.name.elementsEqual(tagCountHeader.utf8) }) else {
            throw .notImplemented("the tags of an object that an earlier version stored; upload it again")
        }
        let text = stored.first { $0.name.elementsEqual(tagsHeader.utf8) }?.value
        return try ObjectTags(text ?? []).list
    }

    /// Whether an object was uploaded with an access control list that lets everyone read it.
    static func isPublic(_ stored: [S3Request.Field]) -> Bool {
        stored.contains {
            $0.name.elementsEqual(accessControlHeader.utf8) && $0.value.elementsEqual(publicList.utf8)
        }
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
