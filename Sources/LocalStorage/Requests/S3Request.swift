import HTTP1
import Presigning
import Text

/// What is needed of a request once its head is gone: copies, with bucket, key and query decoded.
struct S3Request: Sendable {
    typealias Field = (name: [UInt8], value: [UInt8])

    let method: HTTPMethod
    /// Path and query as received, for the signature.
    let target: [UInt8]
    let bucket: [UInt8]
    /// Empty for the bucket itself.
    let key: [UInt8]
    /// Names and values, decoded once; a parameter without `=` has an empty value.
    let query: [Field]
    /// Names in lower case.
    let headers: [Field]

    /// Takes a head apart; refuses escapes that are none.
    init(_ head: HTTPRequest) throws(S3Error) {
        method = head.method
        var target = Array(head.path)
        if let query = head.query { target += [UInt8(ascii: "?")] + query }
        self.target = target
        guard head.path.first == UInt8(ascii: "/"), let path = PercentEncoding.decode(head.path.dropFirst()),
            // Names first, then decoding: an escaped slash belongs to the key, not between bucket and key.
            let bucket = PercentEncoding.decode(head.path.dropFirst().prefix { $0 != UInt8(ascii: "/") })
        else { throw S3Error(400, "InvalidURI", "Couldn't parse the specified URI.") }
        self.bucket = bucket
        key = Array(path.dropFirst(bucket.count + 1))
        query = try Self.fields(head.query ?? [])
        headers = head.headers.map { (ASCII.lowercased($0.name), Array($0.value)) }
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

    /// The value of a header, its name in lower case; several are joined as one list (RFC 9110, section 5.3).
    func header(_ name: String) -> [UInt8]? {
        let values = headers.filter { $0.name.elementsEqual(name.utf8) }.map(\.value)
        return values.isEmpty ? nil : Array(values.joined(separator: ", ".utf8))
    }

    /// The value of the first parameter of a name.
    func parameter(_ name: String) -> [UInt8]? {
        query.first { $0.name.elementsEqual(name.utf8) }?.value
    }
}

extension Collection<UInt8> where SubSequence == ArraySlice<UInt8> {
    /// Whether one item of a list is `token`, which is in lower case.
    func holdsToken(_ token: StaticString) -> Bool {
        split(separator: ASCII.comma).contains { item in
            let item = item.trimmed
            return item.span.equalsIgnoringCase(token)
        }
    }

    /// Without blanks and line ends at its ends.
    var trimmed: ArraySlice<UInt8> { self[startIndex...].trimming(ASCII.isWhitespace) }
}
