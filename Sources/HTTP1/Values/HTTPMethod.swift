import Text

/// A request method (RFC 9110 9): case-sensitive, and any token is one that has at most 16 characters, more than any
/// registered method but one. It is two words, so that a request costs no allocation for it.
package struct HTTPMethod: Sendable, Equatable {
    /// The most characters there may be.
    package static var longest: Int { 16 }

    /// The characters, the first one lowest; zeros behind the last.
    package private(set) var low: UInt64 = 0
    package private(set) var high: UInt64 = 0

    /// `GET`.
    @inlinable @inline(__always) package static var get: HTTPMethod { HTTPMethod("GET") }
    /// `HEAD`.
    @inlinable @inline(__always) package static var head: HTTPMethod { HTTPMethod("HEAD") }
    /// `POST`.
    @inlinable @inline(__always) package static var post: HTTPMethod { HTTPMethod("POST") }
    /// `PUT`.
    @inlinable @inline(__always) package static var put: HTTPMethod { HTTPMethod("PUT") }
    /// `DELETE`.
    @inlinable @inline(__always) package static var delete: HTTPMethod { HTTPMethod("DELETE") }
    /// `OPTIONS`.
    @inlinable @inline(__always) package static var options: HTTPMethod { HTTPMethod("OPTIONS") }
    /// `PATCH`.
    @inlinable @inline(__always) package static var patch: HTTPMethod { HTTPMethod("PATCH") }
    /// `TRACE`.
    @inlinable @inline(__always) package static var trace: HTTPMethod { HTTPMethod("TRACE") }
    /// `CONNECT`.
    @inlinable @inline(__always) package static var connect: HTTPMethod { HTTPMethod("CONNECT") }

    @inlinable @inline(__always)
    package init(_ name: StaticString) {
        // The text lives as long as the program; the names above have at most 7 characters.
        let bytes = unsafe name.utf8Start
        for index in 0..<name.utf8CodeUnitCount { low |= unsafe UInt64(bytes[index]) << UInt64(8 * index) }
    }

    /// The method spelled by `bytes`, exactly: `get` is not `GET`. Nil unless they are 1 to 16 characters of a token.
    package init?(_ bytes: some Collection<UInt8>) {
        guard 1...Self.longest ~= bytes.count, bytes.allSatisfy(ASCII.isToken) else { return nil }
        for (index, byte) in bytes.enumerated() { put(byte, at: index) }
    }

    /// The method with this name. A name that is too long gives an unknown method, which the server refuses with 501.
    package init(token: Span<UInt8>) {
        guard token.count <= Self.longest else { return }
        low = token.wordOrRest(at: 0)
        if token.count > 8 { high = token.wordOrRest(at: 8) }
    }

    private mutating func put(_ byte: UInt8, at index: Int) {
        let place = UInt64(byte) << UInt64(8 * (index & 7))
        if index < 8 { low |= place } else { high |= place }
    }

    /// Whether it stands for a token that was too long.
    var isUnknown: Bool { low == 0 }

    /// Whether the server knows what the method means, and can do as it says: tunnels it has none.
    var isImplemented: Bool {
        self == .get || self == .post || self == .put || self == .head || self == .delete || self == .options
            || self == .patch || self == .trace
    }

    /// The token as it stands in a request line.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// Appends the token, at most `longest` bytes.
    package func append(to output: inout [UInt8]) {
        var (rest, next) = (low, high)
        while rest != 0 {
            output.append(UInt8(truncatingIfNeeded: rest))
            (rest, next) = (rest >> 8 | next << 56, next >> 8)
        }
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token; a method holds ASCII only.
    package var description: String { String(decoding: bytes, as: UTF8.self) }
}
