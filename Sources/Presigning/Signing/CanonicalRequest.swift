import Cryptography
import Text

/// A URL without its signature, and the hash of its canonical request in Signature Version 4.
///
/// Both contain the same key and query, which are written once, to the URL, and hashed from there.
struct CanonicalRequest: ~Copyable {
    fileprivate var url: ByteBuffer
    /// The SHA-256 hash of the canonical request.
    let hash: SHA256Digest

    /// Returns the URL with its signature.
    consuming func url(signature: SHA256Digest) -> FinishedBytes {
        url.append("&X-Amz-Signature=")
        url.append(signature.hexadecimal.span)
        return url.finish()
    }
}

extension AWSS3StorageGetURLTask {
    /// Returns the canonical request of the task.
    ///
    /// - Parameters:
    ///   - headers: the validated headers of the task.
    ///   - query: the validated query of the task.
    ///   - expiresIn: the lifetime of the URL in seconds.
    func canonicalRequest(
        _ headers: SignedHeaders, _ query: SignedQuery, at endpoint: S3Endpoint, in context: SigningContext,
        expiresIn: Int
    ) -> CanonicalRequest {
        let endpoint = endpoint.parts
        var url = ByteBuffer(capacity: 640 + 2 * key.bytes.count + context.queryTail.count)
        url.append(endpoint.origin)
        url.append(endpoint.keyPrefix)
        let keyStart = url.count
        PercentEncoding.path.append(key.bytes.span, to: &url)
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
        url.append(HeaderRules.unsignedPayload)
        let prefix = endpoint.signedKeyPrefix
        var hash = SHA256()
        hash.update(traits.method)
        hash.update("\n")
        hash.update(prefix.span)
        url.withBytes(keyStart..<question) { hash.update($0) }
        hash.update("\n")
        url.withBytes((question + 1)..<url.count) { hash.update($0) }
        url.truncate(to: end)
        return CanonicalRequest(url: url, hash: hash.digest())
    }
}
