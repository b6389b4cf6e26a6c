import Cryptography
import Text

/// The text that a request is reduced to before it is hashed.
///
/// Path and query appear in it exactly as in the URL.
struct CanonicalRequest: Sendable {
    /// The payload line of a pre-signed request, whose body is unknown when it is signed.
    static var unsignedPayload: StaticString { "UNSIGNED-PAYLOAD" }

    /// The whole text.
    let bytes: [UInt8]
    private let path: Range<Int>
    private let query: Range<Int>

    /// Writes the canonical request of a URL.
    ///
    /// - Parameter expiresIn: seconds.
    init(_ request: SigningRequest, in context: SigningContext, expiresIn: Int) {
        let endpoint = request.endpoint.parts
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512 + 2 * request.key.bytes.count + context.queryTail.count)
        bytes.append(request.operation.methodName)
        bytes.append(0x0a)
        let pathStart = bytes.count
        bytes.append(endpoint.keyPrefix)
        PercentEncoding.path.append(request.key.bytes, to: &bytes)
        path = pathStart..<bytes.count
        bytes.append(0x0a)
        let queryStart = bytes.count
        // Sorted by name: the names of the signature's own parameters are neighbours.
        bytes.append(request.query.beforeSignature)
        bytes.append(context.queryHead)
        bytes.append(decimal: expiresIn)
        bytes.append(context.queryTail)
        bytes.append(request.headers.encodedNames)
        bytes.append(request.query.afterSignature)
        query = queryStart..<bytes.count
        bytes.append(0x0a)
        bytes.append(request.headers.linesBeforeHost)
        bytes.append(endpoint.hostLine)
        bytes.append(request.headers.linesAfterHost)
        bytes.append(0x0a)
        bytes.append(request.headers.names)
        bytes.append(0x0a)
        bytes.append(Self.unsignedPayload)
        self.bytes = bytes
    }

    /// The hash of the text.
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
