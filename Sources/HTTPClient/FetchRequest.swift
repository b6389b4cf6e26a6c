import HTTP1
import Text

/// One request: what stands in its head, and its content.
package struct FetchRequest: Sendable {
    /// How much an answer may be, in bytes of content.
    package static let standardLimit = 64 * 1024

    /// The methods that fetching credentials takes.
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
    }

    /// The method.
    package let method: Method
    /// Where it goes.
    package let url: FetchURL
    private var fields = HTTPFields()
    /// Sent with its length; nothing is said of it when it is empty and the method is GET.
    package var body: [UInt8] = []
    /// The most content an answer may have, in bytes.
    package var limit = FetchRequest.standardLimit

    /// A request without fields of its own.
    package init(_ method: Method = .get, _ url: FetchURL) {
        self.method = method
        self.url = url
    }

    /// Adds a header field; false, and nothing added, when its value holds a control character.
    package mutating func add(_ name: StaticString, _ value: [UInt8]) -> Bool {
        fields.add(name, value.span)
    }

    /// The bytes on the wire.
    package var bytes: [UInt8] {
        var bytes = Array("\(method.rawValue) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n".utf8)
        bytes += "Connection: close\r\nUser-Agent: presign\r\n".utf8
        if !body.isEmpty || method != .get { bytes += "Content-Length: \(body.count)\r\n".utf8 }
        return bytes + fields.bytes + "\r\n".utf8 + body
    }
}

/// What a server answered.
package struct FetchResponse: Sendable, Equatable {
    /// The status code, 200 to 599.
    package let status: Int
    /// The content, without framing.
    package let body: [UInt8]
}

/// Why there is no answer. The texts quote nothing that was received.
package enum FetchFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// The resolver has no address for the name.
    case unknownHost
    /// The connection could not be made; the system's word for it.
    case unreachable(String)
    /// The time for the whole exchange was over.
    case timedOut
    /// The connection failed within the exchange; the system's word for it.
    case broken(String)
    /// There is no secure connection: a certificate that is not the host's, or not trusted, or no TLS.
    case insecure(String)
    /// The server closed before its answer was complete.
    case cutShort
    /// What came is no HTTP/1.1 answer.
    case malformed
    /// The content is larger than the limit, in bytes.
    case tooLarge(Int)

    /// One line, without a capital letter.
    package var description: String {
        switch self {
        case .unknownHost: "the name has no address"
        case .unreachable(let reason): "no connection: \(reason)"
        case .timedOut: "no answer in time"
        case .broken(let reason): "the connection failed: \(reason)"
        case .insecure(let reason): "TLS: \(reason)"
        case .cutShort: "the connection was closed before the answer was complete"
        case .malformed: "the answer is no valid HTTP/1.1"
        case .tooLarge(let limit): "the answer is larger than \(limit) bytes"
        }
    }

    /// Whether nobody was there to answer: so it is where a service does not exist, not where it is broken.
    package var isAbsence: Bool {
        switch self {
        case .unreachable, .timedOut: true
        default: false
        }
    }
}
