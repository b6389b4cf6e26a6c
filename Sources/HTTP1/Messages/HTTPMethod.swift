package import Text

/// A request method (RFC 9110 9): a case-sensitive token of at most 16 characters. Only one registered method is
/// longer.
package struct HTTPMethod: Sendable, Equatable {
    /// The maximum number of characters.
    package static var longest: Int { 16 }

    // The characters in little-endian order, padded with zeros: the first is the lowest byte of `low`.
    package private(set) var low: UInt64 = 0
    package private(set) var high: UInt64 = 0

    /// `GET`.
    package static let get = HTTPMethod("GET")
    /// `HEAD`.
    package static let head = HTTPMethod("HEAD")
    /// `POST`.
    package static let post = HTTPMethod("POST")
    /// `PUT`.
    package static let put = HTTPMethod("PUT")
    /// `DELETE`.
    package static let delete = HTTPMethod("DELETE")
    /// `OPTIONS`.
    package static let options = HTTPMethod("OPTIONS")
    /// `PATCH`.
    package static let patch = HTTPMethod("PATCH")
    /// `QUERY`, a safe method with a body.
    package static let query = HTTPMethod("QUERY")
    /// `TRACE`.
    package static let trace = HTTPMethod("TRACE")
    /// `CONNECT`.
    package static let connect = HTTPMethod("CONNECT")

    package init(_ name: StaticString) {
        // A static string is never freed; the names above have at most 7 characters, which fit in `low`.
        let bytes = unsafe name.utf8Start
        for index in 0..<name.utf8CodeUnitCount { low |= unsafe UInt64(bytes[index]) << UInt64(8 * index) }
    }

    /// Creates the method with this name. A name above 16 characters gives an unknown method, which gets 501.
    package init(token: Span<UInt8>) {
        guard token.count <= Self.longest else { return }
        low = token.wordOrRest(at: 0)
        if token.count > 8 { high = token.wordOrRest(at: 8) }
    }

    /// Whether the token was too long to store.
    var isUnknown: Bool { low == 0 }

    /// Whether the server implements the method. It does not implement CONNECT, which asks for a tunnel.
    var isImplemented: Bool { Self.implemented.contains(self) }

    private static let implemented: [HTTPMethod] = [
        .get, .post, .put, .head, .delete, .options, .patch, .query, .trace,
    ]

    /// The token as in a request line.
    package var bytes: [UInt8] {
        var output = ByteBuffer(capacity: Self.longest)
        append(to: &output)
        return output.bytes
    }

    /// Appends the token, at most `longest` bytes.
    package func append(to output: inout ByteBuffer) {
        var (rest, next) = (low, high)
        while rest != 0 {
            output.append(UInt8(truncatingIfNeeded: rest))
            (rest, next) = (rest >> 8 | next << 56, next >> 8)
        }
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token, which is ASCII.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}

/// The supported protocol versions.
package enum HTTPVersion: Sendable, Equatable {
    /// HTTP/1.0: closes after a response unless the client asks for keep-alive; has neither chunks nor 100 (Continue).
    case http1_0
    /// HTTP/1.1 (RFC 9112).
    case http1_1
}
