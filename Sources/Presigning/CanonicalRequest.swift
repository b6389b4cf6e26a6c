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
    mutating func write(
        _ request: SigningRequest, credentials: Credentials, scope: SigningScope, time: SigningTime, expiresIn: Int
    ) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(request.operation.method)
        bytes.append(0x0a)
        let pathStart = bytes.count
        bytes.append(contentsOf: request.endpoint.basePathBytes)
        bytes.append(0x2f)
        PercentEncoding.path.append(request.key.bytes, to: &bytes)
        path = pathStart..<bytes.count
        bytes.append(0x0a)
        query = appendQuery(request, credentials: credentials, scope: scope, time: time, expiresIn: expiresIn)
        bytes.append(0x0a)
        appendHeaders(request)
        bytes.append(0x0a)
        appendSignedHeaderNames(request.headers, separator: ";")
        bytes.append(0x0a)
        bytes.append(Self.unsignedPayload)
    }

    /// Appends all parameters sorted. The signature's own are in order already; the others are merged in.
    private mutating func appendQuery(
        _ request: SigningRequest, credentials: Credentials, scope: SigningScope, time: SigningTime, expiresIn: Int
    ) -> Range<Int> {
        let start = bytes.count
        var extra = request.query.parameters[...]
        appendName(QueryParameter.algorithm, after: &extra, from: start)
        bytes.append(QueryParameter.algorithmName)
        appendName(QueryParameter.credential, after: &extra, from: start)
        PercentEncoding.query.append(credentials.accessKeyIDBytes, to: &bytes)
        bytes.append("%2F")
        scope.append(slash: "%2F", to: &bytes)
        appendName(QueryParameter.date, after: &extra, from: start)
        time.appendBasic(to: &bytes)
        appendName(QueryParameter.expires, after: &extra, from: start)
        bytes.append(decimal: expiresIn)
        if let token = credentials.encodedSessionToken {
            appendName(QueryParameter.securityToken, after: &extra, from: start)
            bytes.append(contentsOf: token)
        }
        appendName(QueryParameter.signedHeaders, after: &extra, from: start)
        appendSignedHeaderNames(request.headers, separator: "%3B")
        for parameter in extra { append(parameter, from: start) }
        return start..<bytes.count
    }

    /// Appends a parameter's name, and before it every extra parameter that sorts before it.
    private mutating func appendName(
        _ name: String, after extra: inout ArraySlice<SignedQuery.Parameter>, from start: Int
    ) {
        while let first = extra.first, first.name.lexicographicallyPrecedes(name.utf8) {
            append(first, from: start)
            extra.removeFirst()
        }
        if bytes.count > start { bytes.append(0x26) }
        bytes.append(name)
        bytes.append(0x3d)
    }

    private mutating func append(_ parameter: SignedQuery.Parameter, from start: Int) {
        if bytes.count > start { bytes.append(0x26) }
        bytes.append(contentsOf: parameter.name)
        bytes.append(0x3d)
        bytes.append(contentsOf: parameter.value)
    }

    private mutating func appendHeaders(_ request: SigningRequest) {
        let list = request.headers
        for header in list.headers.prefix(list.countBeforeHost) { append(header) }
        bytes.append("host:")
        bytes.append(contentsOf: request.endpoint.hostBytes)
        bytes.append(0x0a)
        for header in list.headers.dropFirst(list.countBeforeHost) { append(header) }
    }

    private mutating func append(_ header: SignedHeaders.Header) {
        bytes.append(header.name)
        bytes.append(0x3a)
        bytes.append(header.value)
        bytes.append(0x0a)
    }

    private mutating func appendSignedHeaderNames(_ list: SignedHeaders, separator: String) {
        for header in list.headers.prefix(list.countBeforeHost) {
            bytes.append(header.name)
            bytes.append(separator)
        }
        bytes.append("host")
        for header in list.headers.dropFirst(list.countBeforeHost) {
            bytes.append(separator)
            bytes.append(header.name)
        }
    }
}
