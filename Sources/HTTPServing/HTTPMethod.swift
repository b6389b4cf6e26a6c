/// A request method (RFC 9110 9): case-sensitive, and any token is one.
public struct HTTPMethod: Sendable, Equatable {
    private enum Token: Sendable, Equatable {
        case get, head, post, put, delete, options, patch, trace, connect
        case other([UInt8])
    }

    private let token: Token

    /// `GET`.
    public static var get: HTTPMethod { HTTPMethod(.get) }
    /// `HEAD`.
    public static var head: HTTPMethod { HTTPMethod(.head) }
    /// `POST`.
    public static var post: HTTPMethod { HTTPMethod(.post) }
    /// `PUT`.
    public static var put: HTTPMethod { HTTPMethod(.put) }
    /// `DELETE`.
    public static var delete: HTTPMethod { HTTPMethod(.delete) }
    /// `OPTIONS`.
    public static var options: HTTPMethod { HTTPMethod(.options) }
    /// `PATCH`.
    public static var patch: HTTPMethod { HTTPMethod(.patch) }
    /// `TRACE`.
    public static var trace: HTTPMethod { HTTPMethod(.trace) }
    /// `CONNECT`.
    public static var connect: HTTPMethod { HTTPMethod(.connect) }

    private init(_ token: Token) { self.token = token }

    /// The method spelled by `bytes`, exactly: `get` is not `GET`.
    public init(_ bytes: some Collection<UInt8>) {
        let known: [HTTPMethod] = [.get, .head, .post, .put, .delete, .options, .patch, .trace, .connect]
        self = known.first { bytes.elementsEqual($0.bytes) } ?? HTTPMethod(.other(Array(bytes)))
    }

    /// The method in `range`, which holds tokens only. The common ones cost no allocation.
    init(_ bytes: Span<UInt8>, _ range: ByteRange) {
        // A lower-case comparison finds the candidate; methods are case-sensitive, so each letter must be upper-case.
        var isUppercase = true
        for index in Int(range.start)..<Int(range.end) where bytes[index] > 0x5A { isUppercase = false }
        token =
            switch range.count {
            case 3 where isUppercase && bytes.matches(range, "get"): .get
            case 3 where isUppercase && bytes.matches(range, "put"): .put
            case 4 where isUppercase && bytes.matches(range, "post"): .post
            case 4 where isUppercase && bytes.matches(range, "head"): .head
            case 5 where isUppercase && bytes.matches(range, "patch"): .patch
            case 5 where isUppercase && bytes.matches(range, "trace"): .trace
            case 6 where isUppercase && bytes.matches(range, "delete"): .delete
            case 7 where isUppercase && bytes.matches(range, "options"): .options
            case 7 where isUppercase && bytes.matches(range, "connect"): .connect
            default: .other((Int(range.start)..<Int(range.end)).map { bytes[$0] })
            }
    }

    /// The token as it stands in a request line.
    public var bytes: [UInt8] {
        switch token {
        case .get: Array("GET".utf8)
        case .head: Array("HEAD".utf8)
        case .post: Array("POST".utf8)
        case .put: Array("PUT".utf8)
        case .delete: Array("DELETE".utf8)
        case .options: Array("OPTIONS".utf8)
        case .patch: Array("PATCH".utf8)
        case .trace: Array("TRACE".utf8)
        case .connect: Array("CONNECT".utf8)
        case .other(let bytes): bytes
        }
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token; a method holds ASCII only.
    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
