/// Signs URLs and forms with AWS Signature Version 4.
///
/// A presigner caches derived signing keys, so use one for many of them. Each thread needs its own.
public struct Presigner: Sendable {
    /// The lifetimes that S3 accepts, in seconds (Amazon S3 API reference, "Authenticating Requests: Using Query
    /// Parameters").
    public static let validExpiry = 1...604_800

    /// The number of cached contexts: one presigner serves a few regions and credentials at a time.
    private static let capacity = 8
    /// The cached contexts, oldest first.
    private var contexts: [SigningContext] = []

    /// Creates a presigner with an empty cache.
    public init() {}

    /// Signs a task whose headers and query are validated.
    ///
    /// - Returns: a URL that is valid for `task.expiresIn` seconds, with a window for up to `task.window` seconds longer,
    ///   or until the credentials expire if sooner.
    /// - Throws: `StorageError.authError` if the credentials have expired.
    package mutating func url(
        for task: AWSS3StorageGetURLTask, _ parts: (headers: SignedHeaders, query: SignedQuery),
        at endpoint: S3Endpoint, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        let (headers, query) = parts
        let lifetime = try URLLifetime(
            expiresIn: task.expiresIn, window: task.fittingWindow, until: credentials.expiration, at: time)
        let context = context(for: credentials, endpoint, at: lifetime.start)
        let request = task.canonicalRequest(headers, query, at: endpoint, in: context, expiresIn: lifetime.signed)
        let signature = context.stringToSign.signature(ofHash: request.hash)
        return PresignedURL(
            content: request.url(signature: signature),
            methodName: task.traits.method,
            headers: headers.headers,
            expiresIn: lifetime.seconds,
            expiresAt: time.advanced(bySeconds: lifetime.seconds),
            stableFor: lifetime.stable,
            limitedBy: lifetime.limit)
    }

    /// Returns the cached context for the credentials, the scope and the second, or creates it.
    mutating func context(
        for credentials: Credentials, _ endpoint: S3Endpoint, at time: SigningTime
    ) -> SigningContext {
        if let cached = contexts.last(where: { $0.matches(credentials, endpoint, at: time) }) { return cached }
        let context = SigningContext(credentials: credentials, endpoint: endpoint, time: time)
        if contexts.count == Self.capacity { contexts.removeFirst() }
        contexts.append(context)
        return context
    }
}
