import Cryptography
import Text

/// The text a pre-signed request is reduced to before it is hashed, in a buffer that is used again.
///
/// Path and query stand in it exactly as in the URL, so the URL is cut from it and nothing is encoded twice.
struct CanonicalRequest: Sendable {
    /// What stands for the hash of a body nobody knows yet.
    static var unsignedPayload: StaticString { "UNSIGNED-PAYLOAD" }

    /// The text, its padding for SHA-256, and what an earlier, longer one has left.
    private(set) var memory: [UInt8] = []
    private var paddedCount = 0
    /// Where the query begins, after a line feed that ends the path.
    private var queryStart = 0
    private var target = 0..<0

    /// The text's hash.
    var digest: SHA256Digest { SHA256.hash(padded: memory.span.extracting(..<paddedCount)) }

    /// Writes the canonical request of a URL.
    mutating func write(
        _ operation: AWSS3SigningOperation, of key: StoragePath, at endpoint: S3Endpoint.Parts,
        _ headers: SignedHeaders.Parts?, _ query: SignedQuery.Parts?, in context: SigningContext, expiresIn: Int
    ) {
        let fixed = context.queryCount + endpoint.canonicalCount + (headers?.count ?? 0) + (query?.count ?? 0)
        let most = fixed + PercentEncoding.growth * key.bytes.count + 64 + SHA256.longestPadding
        var (pathStart, queryStart, queryEnd) = (0, 0, 0)
        paddedCount = memory.overwrite(atMost: most) { output in
            output.append(operation.methodName)
            output.append(0x0a)
            pathStart = output.count
            output.append(endpoint.keyPrefix)
            PercentEncoding.path.append(key.bytes.span, to: &output)
            output.append(0x0a)
            queryStart = output.count
            // All parameters, sorted: the signature's own lie together, the others before and after them.
            if let query { output.append(query.beforeSignature) }
            output.append(context.queryHead)
            output.append(decimal: expiresIn)
            output.append(context.queryTail)
            if let headers { output.append(headers.encodedNames) } else { output.append("host") }
            if let query { output.append(query.afterSignature) }
            queryEnd = output.count
            if let headers {
                output.append(0x0a)
                output.append(headers.linesBeforeHost)
                output.append(endpoint.hostLine)
                output.append(headers.linesAfterHost)
                output.append(0x0a)
                output.append(headers.names)
                output.append(0x0a)
                output.append(Self.unsignedPayload)
            } else {
                output.append(endpoint.linesAfterQuery)
            }
            SHA256.appendPadding(ofMessage: output.count, to: &output)
        }
        (self.queryStart, target) = (queryStart, pathStart..<queryEnd)
    }

    /// The URL: path and query stand here as they stand there, but for the mark between them.
    ///
    /// - Parameter url: what to write it in; what stands there is dropped.
    func url(at endpoint: S3Endpoint.Parts, signature: SHA256Digest, in url: consuming [UInt8]) -> [UInt8] {
        let origin = endpoint.origin
        let mark = origin.count + queryStart - target.lowerBound - 1
        return Self.url(origin.span, memory.span.extracting(target), mark: mark, signature: signature, in: url)
    }

    private static func url(
        _ origin: Span<UInt8>, _ target: Span<UInt8>, mark: Int, signature: SHA256Digest, in url: consuming [UInt8]
    ) -> [UInt8] {
        let parameter: StaticString = "&X-Amz-Signature="
        let fixed = origin.count + parameter.utf8CodeUnitCount + 2 * SHA256Digest.byteCount
        // Even of nothing this is work.
        if !url.isEmpty { url.removeAll(keepingCapacity: true) }
        url.append(addingCapacity: fixed + target.count) { url in
            url.append(origin)
            url.append(target)
            url[mark] = 0x3f
            url.append(parameter)
            url.append(hexadecimal: signature)
        }
        return url
    }
}
