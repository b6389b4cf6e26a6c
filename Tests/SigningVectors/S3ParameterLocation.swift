/// The location of a parameter in the request, with the format of its value.
enum S3ParameterLocation: Sendable {
    case header(String, S3ParameterFormat = .text)
    case query(String, S3ParameterFormat = .text)
    case metadata
    case customerKey

    /// The parameters of the operations that this module signs (Amazon S3 API reference), by name.
    static let table: [String: S3ParameterLocation] = standardHeaders.merging(amazonHeaders) { first, _ in first }
        .merging(queryParameters) { first, _ in first }

    private static let standardHeaders: [String: S3ParameterLocation] = [
        "CacheControl": .header("cache-control"),
        "ContentDisposition": .header("content-disposition"),
        "ContentEncoding": .header("content-encoding"),
        "ContentLanguage": .header("content-language"),
        "ContentLength": .header("content-length", .number),
        "ContentMD5": .header("content-md5"),
        "ContentType": .header("content-type"),
        "Expires": .header("expires", .httpDate),
        "IfMatch": .header("if-match"),
        "IfModifiedSince": .header("if-modified-since", .httpDate),
        "IfNoneMatch": .header("if-none-match"),
        "IfUnmodifiedSince": .header("if-unmodified-since", .httpDate),
        "Range": .header("range"),
    ]

    private static let amazonHeaders: [String: S3ParameterLocation] = [
        "ACL": .header("x-amz-acl"),
        "BucketKeyEnabled": .header("x-amz-server-side-encryption-bucket-key-enabled", .boolean),
        "BypassGovernanceRetention": .header("x-amz-bypass-governance-retention", .boolean),
        "ChecksumAlgorithm": .header("x-amz-checksum-algorithm"),
        "ChecksumCRC32": .header("x-amz-checksum-crc32"),
        "ChecksumCRC32C": .header("x-amz-checksum-crc32c"),
        "ChecksumCRC64NVME": .header("x-amz-checksum-crc64nvme"),
        "ChecksumMD5": .header("x-amz-checksum-md5"),
        "ChecksumMode": .header("x-amz-checksum-mode"),
        "ChecksumSHA1": .header("x-amz-checksum-sha1"),
        "ChecksumSHA256": .header("x-amz-checksum-sha256"),
        "ChecksumSHA512": .header("x-amz-checksum-sha512"),
        "ChecksumType": .header("x-amz-checksum-type"),
        "ChecksumXXHASH128": .header("x-amz-checksum-xxhash128"),
        "ChecksumXXHASH3": .header("x-amz-checksum-xxhash3"),
        "ChecksumXXHASH64": .header("x-amz-checksum-xxhash64"),
        "ExpectedBucketOwner": .header("x-amz-expected-bucket-owner"),
        "GrantFullControl": .header("x-amz-grant-full-control"),
        "GrantRead": .header("x-amz-grant-read"),
        "GrantReadACP": .header("x-amz-grant-read-acp"),
        "GrantWriteACP": .header("x-amz-grant-write-acp"),
        "IfMatchInitiatedTime": .header("x-amz-if-match-initiated-time", .httpDate),
        "IfMatchLastModifiedTime": .header("x-amz-if-match-last-modified-time", .httpDate),
        "IfMatchSize": .header("x-amz-if-match-size", .number),
        "MFA": .header("x-amz-mfa"),
        "Metadata": .metadata,
        "MpuObjectSize": .header("x-amz-mp-object-size", .number),
        "ObjectLockLegalHoldStatus": .header("x-amz-object-lock-legal-hold"),
        "ObjectLockMode": .header("x-amz-object-lock-mode"),
        "ObjectLockRetainUntilDate": .header("x-amz-object-lock-retain-until-date", .rfc3339Date),
        "RequestPayer": .header("x-amz-request-payer"),
        "SSECustomerAlgorithm": .header("x-amz-server-side-encryption-customer-algorithm"),
        "SSECustomerKey": .customerKey,
        "SSEKMSEncryptionContext": .header("x-amz-server-side-encryption-context"),
        "SSEKMSKeyId": .header("x-amz-server-side-encryption-aws-kms-key-id"),
        "ServerSideEncryption": .header("x-amz-server-side-encryption"),
        "StorageClass": .header("x-amz-storage-class"),
        "Tagging": .header("x-amz-tagging"),
        "WebsiteRedirectLocation": .header("x-amz-website-redirect-location"),
        "WriteOffsetBytes": .header("x-amz-write-offset-bytes", .number),
    ]

    private static let queryParameters: [String: S3ParameterLocation] = [
        "ContinuationToken": .query("continuation-token"),
        "Delimiter": .query("delimiter"),
        "MaxKeys": .query("max-keys", .number),
        "MaxParts": .query("max-parts", .number),
        "PartNumber": .query("partNumber", .number),
        "PartNumberMarker": .query("part-number-marker", .number),
        "ResponseCacheControl": .query("response-cache-control"),
        "ResponseContentDisposition": .query("response-content-disposition"),
        "ResponseContentEncoding": .query("response-content-encoding"),
        "ResponseContentLanguage": .query("response-content-language"),
        "ResponseContentType": .query("response-content-type"),
        "ResponseExpires": .query("response-expires", .httpDate),
        "StartAfter": .query("start-after"),
        "VersionId": .query("versionId"),
    ]
}
