import HTTP1
import Presigning
import Text

/// A request as copies of its parts, with bucket, key and query decoded. It outlives the server's read buffer.
struct S3Request: Sendable {
    typealias Field = (name: [UInt8], value: [UInt8])

    let method: HTTPMethod
    /// Path and query as received, for verifying the signature.
    let target: [UInt8]
    let bucket: [UInt8]
    /// The key; empty for the bucket itself.
    private(set) var key: [UInt8]
    /// The decoded parameters. One without `=` has an empty value.
    private(set) var query: [Field]
    /// The headers in the order of the request; names are in lower case. The values of a repeated header are joined to a
    /// list (RFC 9110, section 5.3), as they are for a signature.
    private(set) var headers: [Field]

    /// Parses a head. Throws for an invalid percent-encoding.
    init(_ head: HTTPRequest) throws(S3Error) {
        method = head.method
        var target = Array(head.path)
        if let query = head.query { target += [UInt8(ascii: "?")] + query }
        self.target = target
        // Split before decoding: an encoded slash does not separate bucket and key.
        let encodedBucket = head.path.dropFirst().prefix { $0 != UInt8(ascii: "/") }
        let encodedKey = head.path.dropFirst(1 + encodedBucket.count + 1)
        guard encodedKey.count <= 3 * S3Limits.key else { throw .keyTooLong(encodedKey.count) }
        guard head.path.first == UInt8(ascii: "/"), let bucket = PercentEncoding.decode(encodedBucket),
            let key = PercentEncoding.decode(encodedKey)
        else { throw S3Error(400, "InvalidURI", "Couldn't parse the specified URI.") }
        (self.bucket, self.key) = (bucket, key)
        query = try Self.fields(head.query ?? [])
        headers = []
        for field in head.headers { add(ASCII.lowercased(field.name), Array(field.value)) }
    }

    /// The request that an upload with PUT would be in place of a form.
    init(_ form: PostForm, of request: S3Request) throws(S3Error) {
        self = request
        (key, query) = (try form.key(), [])
        headers = request.headers.filter { $0.name.elementsEqual("host".utf8) }
        for (name, value) in try form.uploadHeaders() { add(name, value) }
    }

    private mutating func add(_ name: [UInt8], _ value: [UInt8]) {
        if let index = headers.firstIndex(where: { $0.name == name }) {
            headers[index].value += [ASCII.comma] + value
        } else {
            headers.append((name, value))
        }
    }

    private static func fields(_ query: ArraySlice<UInt8>) throws(S3Error) -> [Field] {
        var fields: [Field] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let decodedName = PercentEncoding.decode(name),
                let value = PercentEncoding.decode(part.dropFirst(name.count + 1))
            else { throw S3Error(400, "InvalidURI", "Couldn't parse the specified URI.") }
            fields.append((decodedName, value))
        }
        return fields
    }

    /// Returns the value of a header; nil without one.
    ///
    /// - Parameter name: in lower case.
    func header(_ name: String) -> [UInt8]? { headers.first { $0.name.elementsEqual(name.utf8) }?.value }

    /// About the memory of this request in bytes: each part of the head is held as received, and again decoded or as a
    /// header of the object.
    var heldBytes: Int { 2 * headers.reduce(target.count) { $0 + $1.name.count + $1.value.count } }

    /// Whether the signature is in the `Authorization` header; otherwise in the query of a pre-signed URL.
    var isSignedInHeader: Bool { header("authorization") != nil }

    /// Returns the value of the first parameter with this name.
    func parameter(_ name: String) -> [UInt8]? {
        query.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
    /// Whether a comma-separated list contains `token`, ignoring case.
    ///
    /// - Parameter token: in lower case.
    func containsToken(_ token: StaticString) -> Bool {
        split(separator: ASCII.comma).contains { item in
            let item = item.trimmed
            return item.span.equalsIgnoringCase(token)
        }
    }

    /// The bytes without leading and trailing whitespace.
    var trimmed: ArraySlice<UInt8> { self[startIndex...].trimming(ASCII.isWhitespace) }
}
