import HTTP1
package import System
import Text

/// An `http` or `https` URL without user information and fragment. Host names that a resolver could take for an IP
/// address are rejected.
package struct FetchURL: Sendable, Hashable {
    package enum Host: Sendable, Hashable {
        /// An IP literal.
        case address(PeerAddress)
        /// A name to resolve, in lower case.
        case name(String)
    }

    /// Whether the scheme is `https`.
    package let isSecure: Bool
    package let host: Host
    /// The port, 1...65535; without one in the URL, the scheme's default.
    package let port: UInt16
    /// Path and query, at least "/".
    package let target: String
    /// Host and port in the form of the `Host` field (RFC 9110 section 7.2).
    package let authority: String

    /// Parses a URL; nil if it is not valid.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let url = try? AbsoluteURL(bytes.span), url.port > 0 else { return nil }
        switch url.authority.host {
        case .address(let address):
            host = .address(PeerAddress(address))
        case .name:
            let name = bytes[url.hostRange]
            guard name.span.isHostName else { return nil }
            host = .name(String(decoding: ASCII.lowercased(name), as: UTF8.self))
        }
        isSecure = url.isSecure
        port = url.port
        authority = String(decoding: bytes[url.authorityRange], as: UTF8.self)
        let target = String(decoding: bytes[url.authorityRange.upperBound...], as: UTF8.self)
        self.target = target.utf8.first == UInt8(ascii: "/") ? target : "/" + target
    }

    /// Scheme, host and port, without a path: `https://proxy.example.com:3128`.
    package var origin: String { (isSecure ? "https://" : "http://") + authority }

    /// The whole URL; the path is at least "/".
    package var text: String { origin + target }

    /// Whether the host is `localhost` or a loopback address. The name can still have other addresses.
    package var isLoopback: Bool {
        switch host {
        case .address(let address): address.isLoopback
        case .name(let name): name == "localhost"
        }
    }

    /// Returns a URL of the same server with another path and query.
    ///
    /// - Parameter target: path and query; visible ASCII that starts with "/".
    package func with(target: String) -> FetchURL {
        FetchURL(isSecure: isSecure, host: host, port: port, target: target, authority: authority)
    }

    private init(isSecure: Bool, host: Host, port: UInt16, target: String, authority: String) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
        self.target = target
        self.authority = authority
    }
}

/// An HTTP request.
package struct FetchRequest: Sendable {
    /// The default size limit of a response body in bytes.
    package static let standardLimit = 64 * 1024

    /// The methods of credential endpoints and storages.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
        case options = "OPTIONS"
    }

    package let method: Method
    package let url: FetchURL
    private var fields = HTTPFields()
    /// Sent with `Content-Length`, which is omitted for a request without a body whose method has none.
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

    /// Adds a header field whose name is known only at run time. Returns false and does not add it if its name is not a
    /// token, its value contains a control character, or the request sends the field itself.
    package mutating func add(name: String, _ value: String) -> Bool {
        fields.add(name: name.utf8.span, value.utf8.span)
    }

    /// The serialized request.
    package var bytes: [UInt8] {
        var bytes = Array("\(method.rawValue) \(url.target) HTTP/1.1\r\nHost: \(url.authority)\r\n".utf8)
        bytes += "Connection: close\r\nUser-Agent: presign\r\n".utf8
        if !body.isEmpty || method == .put || method == .post { bytes += "Content-Length: \(body.count)\r\n".utf8 }
        return bytes + fields.bytes + "\r\n".utf8 + body
    }
}

/// The response to a request.
package struct FetchResponse: Sendable, Equatable {
    /// The status code, 200 to 599.
    package let status: Int
    /// The header fields with their names in lower case.
    package let headers: [String: String]
    /// The body without transfer coding.
    package let body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8]) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }
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

extension FetchResponse {
    /// How many seconds it may be cached from now on: `max-age` less `Age` (RFC 9111 sections 4.2.1 and 4.2.3); 0 for
    /// `no-store`, `no-cache` and an expired response; nil without a valid `max-age`. `Expires` is ignored.
    ///
    /// Of several values the shortest applies.
    package var freshFor: Int? {
        let directives = (headers["cache-control"] ?? "").utf8.split(separator: UInt8(ascii: ","))
        let lifetimes = directives.compactMap { Self.seconds(of: Array($0)[...].trimming(ASCII.isBlank)) }
        let age = headers["age"].flatMap { Int(decimal: $0.utf8.span) } ?? 0
        return lifetimes.min().map { max(0, $0 - age) }
    }

    /// Returns the seconds that one directive allows; nil for one that does not limit caching.
    private static func seconds(of directive: ArraySlice<UInt8>) -> Int? {
        let text = directive.span
        if text.equalsIgnoringCase("no-store") || text.equalsIgnoringCase("no-cache") { return 0 }
        guard text.startsIgnoringCase(with: "max-age=") else { return nil }
        return Int(decimal: text.extracting("max-age=".utf8.count...))
    }
}
