import Text

/// Signs URLs by Signature Version 4 in its query form.
///
/// It is a value with buffers and derived keys that are used again; keep one for every event loop.
public struct Presigner: Sendable {
    /// The seconds S3 lets a URL be valid ("Authenticating Requests: Using Query Parameters").
    public static let validExpiry = 1...604_800

    private var cache = SigningContextCache()
    private(set) var canonicalRequest = CanonicalRequest()
    /// For the bytes of the next URL.
    private var memory: [UInt8] = []

    /// A presigner that has signed nothing yet.
    public init() {}

    /// Signs a request.
    ///
    /// - Parameter expiresIn: seconds, 1...604800; shortened to what is left of the credentials' life.
    /// - Throws: `StorageError.validation` for `expiresIn` out of range, `.authError` for credentials that have ended.
    public mutating func url(
        for request: borrowing SigningRequest, expiresIn: Int, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        try url(
            for: request.operation, of: request.key, at: request.endpoint.parts, request.headers.parts,
            request.query.parts, expiresIn: expiresIn, with: credentials, at: time)
    }

    /// Takes the bytes of a URL that nobody needs any more, to write the next one where they stood.
    package mutating func reuse(_ bytes: consuming [UInt8]) { memory = bytes }

    /// Signs a request by its parts, which are checked.
    package mutating func url(
        for operation: AWSS3SigningOperation, of key: StoragePath, at endpoint: S3Endpoint.Parts,
        _ headers: SignedHeaders.Parts?, _ query: SignedQuery.Parts?, expiresIn: Int, with credentials: Credentials,
        at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        let lifetime = try URLLifetime(expiresIn: expiresIn, until: credentials.expiration, at: time)
        let context = cache.context(for: credentials, at: endpoint, time: time)
        canonicalRequest.write(
            operation, of: key, at: endpoint, headers, query, in: context, expiresIn: lifetime.seconds)
        let signature = context.signature(ofHash: canonicalRequest.digest)
        return PresignedURL(
            bytes: canonicalRequest.url(
                at: endpoint, signature: signature, in: exchange(&memory, with: [])),
            methodName: operation.methodName,
            headers: headers?.headers ?? [],
            expiresIn: lifetime.seconds,
            expiresAt: time.advanced(bySeconds: lifetime.seconds),
            limitedBy: lifetime.limit)
    }
}
