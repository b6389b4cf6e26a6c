/// The query parameters of Signature Version 4, in canonical order except for the signature.
enum QueryParameter {
    /// The prefix of all names.
    static let prefix = "X-Amz-"

    static let algorithm = "X-Amz-Algorithm"
    static let credential = "X-Amz-Credential"
    static let date = "X-Amz-Date"
    static let expires = "X-Amz-Expires"
    static let securityToken = "X-Amz-Security-Token"
    static let signedHeaders = "X-Amz-SignedHeaders"
    static let signature = "X-Amz-Signature"

    /// The only supported value of `X-Amz-Algorithm`.
    static let algorithmName = "AWS4-HMAC-SHA256"

    /// All names in lower case.
    static let reserved: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-security-token",
        "x-amz-signedheaders", "x-amz-signature",
    ]
}
