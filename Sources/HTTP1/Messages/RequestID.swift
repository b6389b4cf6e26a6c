import Text

/// The id of one request in responses and logs: the caller's `X-Request-Id` if well-formed, otherwise a generated one.
package struct RequestID: Sendable {
    /// The fields that every response to the request carries; the last one is the id.
    package let fields: HTTPFields

    /// The same fields without `Cache-Control`, for a response that has its own.
    package var fieldsOfCacheable: HTTPFields {
        HTTPFields(known: Array(fields.bytes[Self.noStore.utf8CodeUnitCount...]))
    }

    /// - Parameter bytes: 1 to 128 characters that are safe in headers and logs.
    package init(_ bytes: some Collection<UInt8>) {
        var fields: [UInt8] = []
        fields.append(Self.start)
        fields.append(contentsOf: bytes)
        fields.append("\r\n")
        self.init(fields: fields)
    }

    /// Creates an id from serialized fields, the last of which is the id.
    fileprivate init(fields: [UInt8]) {
        self.fields = HTTPFields(known: fields)
    }

    /// The id: 1 to 128 characters that are safe in headers and logs.
    package var bytes: ArraySlice<UInt8> { fields.bytes[range] }

    private var range: Range<Int> { Self.start.utf8CodeUnitCount..<(fields.bytes.count - 2) }

    private static var noStore: StaticString { "cache-control: no-store\r\n" }
    private static var start: StaticString { "cache-control: no-store\r\nx-request-id: " }
}

/// Generates request ids from a prefix that is unique to the process and loop, and a counter.
package struct RequestIDSource {
    /// The serialized fields of the last generated id.
    private var last: [UInt8]
    /// The index of the counter's first hexadecimal digit; the counter extends to the final CRLF.
    private let countStart: Int

    /// - Parameter start: a prefix that is unique to the process and the loop.
    package init(start: String) {
        last = RequestID("\(start)-0".utf8).fields.bytes
        countStart = last.count - 3
    }

    /// Returns the id of the next request: `given` if it is well-formed, otherwise a generated one.
    ///
    /// - Parameter given: the request's `X-Request-Id`.
    package mutating func next(given: ArraySlice<UInt8>? = nil) -> RequestID {
        if let given, Self.isWellFormed(given) { return RequestID(given) }
        countUp()
        return RequestID(fields: last)
    }

    private mutating func countUp() {
        var index = last.count - 2
        while index > countStart {
            index -= 1
            switch last[index] {
            case UInt8(ascii: "f"): last[index] = UInt8(ascii: "0")
            case UInt8(ascii: "9"): return last[index] = UInt8(ascii: "a")
            default: return last[index] += 1
            }
        }
        last.insert(UInt8(ascii: "1"), at: countStart)
    }

    /// Whether a value is 1 to 128 letters, digits and `-_.:/+=@~`, none of which can break a log line or a header.
    private static func isWellFormed(_ value: ArraySlice<UInt8>) -> Bool {
        1...128 ~= value.count
            && value.allSatisfy { ASCII.isAlphanumeric($0) || "-_.:/+=@~".utf8.contains($0) }
    }
}
