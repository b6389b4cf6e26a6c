import Cryptography
import Text

/// The canonical request of Signature Version 4, the text whose hash is signed.
///
/// It contains path and query exactly as they appear in the URL.
struct CanonicalRequest: Sendable {
    /// The payload hash of a pre-signed request, whose body is unknown at signing time.
    static var unsignedPayload: StaticString { "UNSIGNED-PAYLOAD" }

    /// The complete text.
    let bytes: [UInt8]
    fileprivate let path: Range<Int>
    fileprivate let query: Range<Int>

    /// The SHA-256 hash of the text.
    var hash: SHA256Digest { SHA256.hash(bytes) }

    /// Returns the signed URL.
    ///
    /// - Parameter origin: scheme and host.
    func url(origin: [UInt8], signature: SHA256Digest) -> [UInt8] {
        var url: [UInt8] = []
        url.reserveCapacity(origin.count + path.count + query.count + 96)
        url.append(origin.span)
        url.append(bytes.span.extracting(path))
        url.append(0x3f)
        url.append(bytes.span.extracting(query))
        url.append("&X-Amz-Signature=")
        url.append(hexadecimal: signature.storage.span)
        return url
    }
}

extension SigningRequest {
    /// Returns the canonical request of a URL.
    ///
    /// - Parameter expiresIn: the lifetime of the URL in seconds.
    func canonicalRequest(in context: SigningContext, expiresIn: Int) -> CanonicalRequest {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + 2 * key.bytes.count + context.queryTail.count)
        bytes.append(operation.methodName)
        bytes.append(0x0a)
        let pathStart = bytes.count
        bytes.append(endpoint.parts.keyPrefix)
        PercentEncoding.path.append(key.bytes, to: &bytes)
        let path = pathStart..<bytes.count
        bytes.append(0x0a)
        let queryStart = bytes.count
        // Parameters are sorted by name, and no other name sorts between those of the signature.
        bytes.append(self.query.beforeSignature)
        bytes.append(context.queryHead)
        bytes.append(decimal: expiresIn)
        bytes.append(context.queryTail)
        PercentEncoding.query.append(headers.names, to: &bytes)
        bytes.append(self.query.afterSignature)
        let query = queryStart..<bytes.count
        bytes.append(0x0a)
        headers.appendLines(withHostLine: endpoint.parts.hostLine, to: &bytes)
        bytes.append(0x0a)
        bytes.append(headers.names)
        bytes.append(0x0a)
        bytes.append(CanonicalRequest.unsignedPayload)
        return CanonicalRequest(bytes: bytes, path: path, query: query)
    }
}
