import Bytes
import CryptoHashing

/// Signs URLs by Signature Version 4 in its query form.
///
/// It is a value with buffers and derived keys that are used again; keep one for every event loop.
public struct Presigner: Sendable {
    /// The seconds S3 lets a URL be valid ("Authenticating Requests: Using Query Parameters").
    public static let validExpiry = 1...604_800

    private static let signatureName = "&\(QueryParameter.signature)="

    private var cache = SigningContextCache()
    private(set) var canonicalRequest = CanonicalRequest()
    private(set) var stringToSign = StringToSign()

    /// A presigner that has signed nothing yet.
    public init() {}

    /// Signs a request.
    ///
    /// - Parameter expiresIn: seconds, 1...604800; shortened to what is left of the credentials' life.
    /// - Throws: `StorageError.validation` for `expiresIn` out of range, `.authError` for credentials that have ended.
    public mutating func url(
        for request: borrowing SigningRequest, expiresIn: Int, with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> PresignedURL {
        let lifetime = try URLLifetime(expiresIn: expiresIn, credentials: credentials, at: time)
        let context = cache.context(for: credentials, at: request.endpoint, time: time)
        canonicalRequest.write(
            request, between: context.queryHead, and: context.queryTail,
            expiresIn: lifetime.seconds)
        stringToSign.write(
            head: context.stringToSignHead, canonicalRequest: canonicalRequest.bytes)
        let signature = context.signature(of: stringToSign.bytes)
        return PresignedURL(
            bytes: urlBytes(origin: request.endpoint.parts.origin, signature: signature),
            method: request.operation.method,
            headers: request.headers.headers,
            expiresIn: lifetime.seconds,
            expiresAt: time.advanced(bySeconds: lifetime.seconds),
            limitedBy: lifetime.limit)
    }

    /// Cuts the URL from the canonical request.
    private func urlBytes(origin: [UInt8], signature: SHA256Digest) -> [UInt8] {
        let (canonical, path, query) = (canonicalRequest.bytes, canonicalRequest.path, canonicalRequest.query)
        let count =
            origin.count + path.count + 1 + query.count + Self.signatureName.utf8.count + 2 * SHA256Digest.byteCount
        var url: [UInt8] = []
        url.append(addingCapacity: count) { url in
            url.append(origin)
            url.append(canonical.span.extracting(path))
            url.append(0x3f)
            url.append(canonical.span.extracting(query))
            url.append(Self.signatureName.utf8.span)
            url.append(hexadecimal: signature.storage.span)
        }
        return url
    }
}
