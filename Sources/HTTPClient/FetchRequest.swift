import HTTP1
import Text

/// An HTTP request.
package struct FetchRequest: Sendable {
    /// The default size limit of a response body in bytes.
    package static let standardLimit = 64 * 1024

    /// The methods of the credential endpoints.
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    package let method: Method
    package let url: FetchURL
    private var fields = HTTPFields()
    /// Sent with `Content-Length`, which is omitted for a GET without a body.
    package var body: [UInt8] = []
    /// The size limit of the response body in bytes.
    package var limit = FetchRequest.standardLimit

    /// Creates a request without additional header fields.
    package init(_ method: Method = .get, _ url: FetchURL) {
        self.method = method
        self.url = url
    }

    /// Adds a header field. Returns false and does not add it if its value contains a control character.
    package mutating func add(_ name: StaticString, _ value: [UInt8]) -> Bool {
        fields.add(name, value.span)
    }

    /// The serialized request.
    package var bytes: [UInt8] {
        var bytes = Array("\(method.rawValue) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n".utf8)
        bytes += "Connection: close\r\nUser-Agent: presign\r\n".utf8
        if !body.isEmpty || method != .get { bytes += "Content-Length: \(body.count)\r\n".utf8 }
        return bytes + fields.bytes + "\r\n".utf8 + body
    }
}

/// The response to a request.
package struct FetchResponse: Sendable, Equatable {
    /// The status code, 200 to 599.
    package let status: Int
    /// The body without transfer coding.
    package let body: [UInt8]
}

/// The reason why a request failed. The descriptions do not contain received data.
package enum FetchFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The resolver found no address for the host name.
    case unknownHost
    /// The connection could not be established, with the text of `strerror(3)`.
    case unreachable(String)
    /// The deadline of the exchange passed.
    case timedOut
    /// The connection failed during the exchange, with the text of `strerror(3)`.
    case broken(String)
    /// TLS failed: the certificate is not trusted or is for another host, or the server does not use TLS.
    case insecure(String)
    /// The server closed the connection before the response was complete.
    case cutShort
    /// The response is not valid HTTP/1.1.
    case malformed
    /// The body is larger than the limit, in bytes.
    case tooLarge(Int)

    /// One line, without a capital letter.
    package var description: String {
        switch self {
        case .unknownHost: "the host name has no address"
        case .unreachable(let reason): "cannot connect: \(reason)"
        case .timedOut: "the request timed out"
        case .broken(let reason): "the connection failed: \(reason)"
        case .insecure(let reason): "TLS: \(reason)"
        case .cutShort: "the connection was closed before the response was complete"
        case .malformed: "the response is not valid HTTP/1.1"
        case .tooLarge(let limit): "the response is larger than \(limit) bytes"
        }
    }

    /// Whether no server responded, which suggests that the service does not exist in this environment.
    package var isAbsence: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }
}
