import DataFormats
import Text

/// A request to a storage that a client of Apache Iceberg asks to sign. Unknown members are ignored, because clients send
/// those of later versions.
///
/// Source: Apache Iceberg, rest-catalog-open-api 1.11, `RemoteSignRequest`.
package struct RemoteSignRequest: Sendable {
    /// The URL.
    let uri: [UInt8]
    let method: PresignRequest.Method
    let region: [UInt8]
    /// By name in lower case.
    let headers: [String: [UInt8]]
    /// The body of DeleteObjects, if the client sends it.
    package let body: [UInt8]?

    /// Decodes a JSON body.
    ///
    /// - Parameter limit: the maximum size of the text, in bytes.
    /// - Throws: `InvalidRequest` for the first invalid member, or for every invalid header.
    package init(json text: ArraySlice<UInt8>, limit: Int) throws(InvalidRequest) {
        let value: JSONValue
        do throws(SyntaxError) {
            value = try JSONValue(parsing: text, limits: JSONLimits(size: limit))
        } catch {
            throw InvalidRequest("", "the body is malformed: \(error)")
        }
        guard case .object = value else { throw InvalidRequest("", "the body must be a JSON object") }
        let provider = value["provider"] ?? .null
        guard provider == .null || provider == .string(Array("s3".utf8)) else {
            throw InvalidRequest("provider", "must be `s3`, or omitted")
        }
        let name = try Self.text("method", in: value)
        guard let method = PresignRequest.Method.allCases.first(where: { $0.rawValue.utf8.elementsEqual(name) }) else {
            throw InvalidRequest("method", "must be GET, PUT, HEAD, DELETE or POST, in upper case")
        }
        self.method = method
        region = try Self.text("region", in: value)
        uri = try Self.text("uri", in: value)
        headers = try Self.headers(value["headers"])
        body = value["body"] ?? .null == .null ? nil : try Self.text("body", in: value)
    }

    /// The value of a header that the client sends, by its name in lower case.
    package func sentValue(of name: String) -> String? { headers[name].map { String(decoding: $0, as: UTF8.self) } }

    private static func text(_ name: String, in value: JSONValue) throws(InvalidRequest) -> [UInt8] {
        guard let text = value[name]?.string else { throw InvalidRequest(name, "must be a string") }
        return text
    }

    private static func headers(_ value: JSONValue?) throws(InvalidRequest) -> [String: [UInt8]] {
        guard case .object(let members)? = value else {
            throw InvalidRequest("headers", "must be an object with an array of strings for each header")
        }
        var (headers, failures): ([String: [UInt8]], [FieldFailure]) = ([:], [])
        for member in members {
            let name = String(decoding: ASCII.lowercased(member.name), as: UTF8.self)
            if case .array(let values) = member.value, values.count == 1, let text = values[0].string {
                if headers.updateValue(text, forKey: name) == nil { continue }
            }
            failures.append(FieldFailure("headers", entry: member.name, "must have one value, an array of one string"))
        }
        guard failures.isEmpty else { throw InvalidRequest(Array(failures.prefix(16))) }
        return headers
    }
}
