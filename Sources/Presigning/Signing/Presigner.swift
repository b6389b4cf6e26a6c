/// Signs URLs with Signature Version 4 in its query form.
///
/// It keeps the signing keys it derived, so use one presigner for many URLs; each thread needs its own.
public struct Presigner: Sendable {
    /// The lifetimes that S3 accepts, in seconds ("Authenticating Requests: Using Query Parameters").
    public static let validExpiry = 1...604_800

    /// One presigner serves a few regions and credentials at a time.
    private static let capacity = 8
    /// The contexts derived last, oldest first.
    private var contexts: [SigningContext] = []

    /// Creates a presigner that has derived no key yet.
    public init() {}

    /// Signs a checked request.
    ///
    /// - Returns: a URL valid for `request.expiresIn` seconds, or for what is left of the credentials' life if less.
    /// - Throws: `StorageError.authError` for credentials that have expired.
    mutating func url(
        for request: SigningRequest, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        let lifetime = try URLLifetime(expiresIn: request.expiresIn, until: credentials.expiration, at: time)
        let context = context(for: credentials, request.endpoint, at: time)
        let canonicalRequest = request.canonicalRequest(in: context, expiresIn: lifetime.seconds)
        let signature = context.stringToSign.signature(ofHash: canonicalRequest.hash)
        return PresignedURL(
            bytes: canonicalRequest.url(origin: request.endpoint.parts.origin, signature: signature),
            methodName: request.operation.methodName,
            headers: request.headers.headers,
            expiresIn: lifetime.seconds,
            expiresAt: time.advanced(bySeconds: lifetime.seconds),
            limitedBy: lifetime.limit)
    }

    /// Returns the kept context of these credentials, this scope and this second, or derives it.
    private mutating func context(
        for credentials: Credentials, _ endpoint: S3Endpoint, at time: SigningTime
    ) -> SigningContext {
        if let kept = contexts.last(where: { $0.serves(credentials, endpoint, at: time) }) { return kept }
        let context = SigningContext(credentials: credentials, endpoint: endpoint, time: time)
        if contexts.count == Self.capacity { contexts.removeFirst() }
        contexts.append(context)
        return context
    }
}
