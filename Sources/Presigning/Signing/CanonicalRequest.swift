import Cryptography
import Text

/// A URL without its signature, and the hash of its canonical request in Signature Version 4.
///
/// Both contain the same path and query, which are written once, to the URL, and hashed from there.
struct CanonicalRequest: ~Copyable {
    /// The payload hash of a pre-signed request, whose body is unknown at signing time.
    static var unsignedPayload: StaticString { "UNSIGNED-PAYLOAD" }

    private var url: ByteBuffer
    /// The SHA-256 hash of the canonical request.
    let hash: SHA256Digest

    /// - Parameters:
    ///   - headers: the validated headers of the task.
    ///   - query: the validated query of the task.
    ///   - expiresIn: the lifetime of the URL in seconds.
    init(
        _ task: AWSS3StorageGetURLTask, _ headers: SignedHeaders, _ query: SignedQuery, at endpoint: S3Endpoint,
        in context: SigningContext, expiresIn: Int
    ) {
        let endpoint = endpoint.parts
        var url = ByteBuffer(capacity: 640 + 2 * task.key.bytes.count + context.queryTail.count)
        url.append(endpoint.origin)
        let path = url.count
        url.append(endpoint.keyPrefix)
        PercentEncoding.path.append(task.key.bytes.span, to: &url)
        let question = url.count
        url.append(ASCII.question)
        // Parameters are sorted by name, and no other name sorts between those of the signature.
        url.append(query.beforeSignature)
        url.append(context.queryHead)
        url.append(decimal: expiresIn)
        url.append(context.queryTail)
        headers.appendNamesToQuery(&url)
        url.append(query.afterSignature)
        let end = url.count
        // The rest of the canonical request follows the query in the buffer until it is hashed.
        url.append(ASCII.lineFeed)
        headers.appendLines(withHostLine: endpoint.hostLine, to: &url)
        url.append(ASCII.lineFeed)
        headers.appendNames(to: &url)
        url.append(ASCII.lineFeed)
        url.append(Self.unsignedPayload)
        var hash = SHA256()
        hash.update(task.operation.methodName)
        hash.update("\n")
        url.withBytes(path..<question) { hash.update($0) }
        hash.update("\n")
        url.withBytes((question + 1)..<url.count) { hash.update($0) }
        self.hash = hash.digest()
        url.truncate(to: end)
        self.url = url
    }

    /// Returns the URL with its signature.
    consuming func url(signature: SHA256Digest) -> [UInt8] {
        url.append("&X-Amz-Signature=")
        url.append(signature.hexadecimal.span)
        return url.bytes
    }
}
