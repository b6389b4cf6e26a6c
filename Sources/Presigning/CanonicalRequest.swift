import Bytes

/// The text a pre-signed request is reduced to before it is hashed, in a buffer that is used again.
///
/// Path and query stand in it exactly as in the URL, so the URL is cut from it and nothing is encoded twice.
struct CanonicalRequest: Sendable {
    /// What stands for the hash of a body nobody knows yet.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    private(set) var bytes: [UInt8] = []
    private(set) var path = 0..<0
    private(set) var query = 0..<0

    /// Writes the canonical request of a URL.
    ///
    /// - Parameters:
    ///   - head: the query's beginning, see `SigningContext.queryHead`; the expiry follows it
    ///   - tail: what follows the expiry, see `SigningContext.queryTail`
    mutating func write(
        _ request: borrowing SigningRequest, between head: [UInt8], and tail: [UInt8], expiresIn: Int
    ) {
        let (endpoint, headers, query) = (request.endpoint.parts, request.headers.parts, request.query.parts)
        let (method, key) = (request.operation.method, request.key.bytes)
        var marks = (path: 0..<0, query: 0..<0)
        bytes.removeAll(keepingCapacity: true)
        let fixed = head.count + tail.count + endpoint.canonicalCount + headers.canonicalCount + query.count
        bytes.append(addingCapacity: fixed + PercentEncoding.growth * key.count + 64) { output in
            output.append(method.utf8.span)
            output.append(0x0a)
            let pathStart = output.count
            output.append(endpoint.keyPrefix)
            PercentEncoding.path.append(key.span, to: &output)
            marks.path = pathStart..<output.count
            output.append(0x0a)
            let queryStart = output.count
            // All parameters, sorted: the signature's own lie together, the others before and after them.
            output.append(query.beforeSignature)
            output.append(head)
            output.append(decimal: expiresIn)
            output.append(tail)
            output.append(headers.encodedNames)
            output.append(query.afterSignature)
            marks.query = queryStart..<output.count
            output.append(0x0a)
            output.append(headers.linesBeforeHost)
            output.append(endpoint.hostLine)
            output.append(headers.linesAfterHost)
            output.append(0x0a)
            output.append(headers.names)
            output.append(0x0a)
            output.append(Self.unsignedPayload.utf8.span)
        }
        (path, self.query) = marks
    }
}
