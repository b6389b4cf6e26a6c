/// The text a pre-signed request is reduced to before it is hashed, in a buffer that is used again.
///
/// Path and query stand in it exactly as in the URL, so the URL is cut from it and nothing is encoded twice.
struct CanonicalRequest: Sendable {
    /// What stands for the hash of a body nobody knows yet.
    static let unsignedPayload = "UNSIGNED-PAYLOAD"

    private static let ending = Array("\n\(unsignedPayload)".utf8)

    private(set) var bytes: [UInt8] = []
    private(set) var path = 0..<0
    private(set) var query = 0..<0

    /// Writes the canonical request of a URL.
    ///
    /// - Parameters:
    ///   - head: the query's beginning, see `SigningContext.queryHead`; the expiry follows it
    ///   - tail: what follows the expiry, see `SigningContext.queryTail`
    mutating func write(_ request: SigningRequest, between head: [UInt8], and tail: [UInt8], expiresIn: Int) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(request.operation.method)
        bytes.append(0x0a)
        let pathStart = bytes.count
        bytes.append(contentsOf: request.endpoint.parts.keyPrefix)
        PercentEncoding.path.append(request.key.bytes, to: &bytes)
        path = pathStart..<bytes.count
        bytes.append(0x0a)
        let queryStart = bytes.count
        // All parameters, sorted: the signature's own lie together, the others before and after them.
        bytes.append(contentsOf: request.query.beforeSignature)
        bytes.append(contentsOf: head)
        bytes.append(decimal: expiresIn)
        bytes.append(contentsOf: tail)
        bytes.append(contentsOf: request.headers.encodedNames)
        bytes.append(contentsOf: request.query.afterSignature)
        query = queryStart..<bytes.count
        bytes.append(0x0a)
        bytes.append(contentsOf: request.headers.linesBeforeHost)
        bytes.append(contentsOf: request.endpoint.parts.hostLine)
        bytes.append(contentsOf: request.headers.linesAfterHost)
        bytes.append(0x0a)
        bytes.append(contentsOf: request.headers.names)
        bytes.append(contentsOf: Self.ending)
    }
}
