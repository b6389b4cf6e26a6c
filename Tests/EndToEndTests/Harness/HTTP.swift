import Foundation
import SocketTestSupport
import Testing

/// Requests by this process, each on a connection of its own and sent unchanged. A test with many requests does not start
/// curl for each of them.
enum HTTP {
    struct Response: Sendable {
        let status: Int
        /// Names in lower case; the last one of duplicate fields.
        let headers: [String: String]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The text of the first element with this name in an XML body, which must have such an element.
        func element(_ name: String) throws -> String {
            try #require(first(name), "no <\(name)>: \(text)")
        }

        private static let entities: [(escape: String, text: String)] = [
            ("&quot;", "\""), ("&#34;", "\""), ("&apos;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"),
        ]

        /// The text of the first element with this name in an XML body; nil if the body has no such element.
        func first(_ name: String) -> String? {
            guard let start = text.range(of: "<\(name)>")?.upperBound else { return nil }
            guard let end = text[start...].range(of: "</\(name)>")?.lowerBound else { return nil }
            return Self.entities.reduce(String(text[start..<end])) { $0.replacing($1.escape, with: $1.text) }
        }
    }

    /// Sends a request to a port of 127.0.0.1.
    ///
    /// - Parameters:
    ///   - url: The name of its host is sent as `Host`, and not looked up.
    ///   - headers: One with an empty value is not sent.
    static func send(
        _ method: String, _ url: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws -> Response {
        try #require(url.hasPrefix("http://"), "\(url)")
        let rest = url.dropFirst("http://".count).prefix { $0 != "#" }
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest.dropFirst(host.count)
        let port = try #require(host.split(separator: ":").last.flatMap { UInt16($0) }, "no port in \(url)")
        var fields = ["host": String(host), "connection": "close", "accept": "*/*"]
        fields["content-length"] = body.map { "\($0.count)" }
        for (name, value) in headers { fields[name.lowercased()] = value }
        let lines = fields.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }
        let head = "\(method) \(path.hasPrefix("/") ? "" : "/")\(path) HTTP/1.1\r\n\(lines.joined())\r\n"
        let received = try await bytes(inResponseTo: Array(head.utf8) + (body ?? Data()), at: port)
        return try Response(parsing: received, omitsBody: method == "HEAD")
    }

    private static func bytes(inResponseTo request: [UInt8], at port: UInt16) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            // Blocks until the server has closed the connection, so no thread of Swift's pool runs it.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        let client = try RawClient(port: port, timeout: 60)
                        // A server may reject an upload before it has read it.
                        client.send(request)
                        return Data(client.rest())
                    })
            }
        }
    }

    /// The fields of a response's head, with names in lower case; the last one of duplicate fields.
    static func fields(in head: String) -> [String: String] {
        var found: [String: String] = [:]
        for line in head.split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            found[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return found
    }

    /// Sends `POST /presign` and returns any response.
    static func presign(_ fields: [String: any Sendable], at origin: String, key: String) async throws -> Response {
        try await send(
            "POST", "\(origin)/presign",
            headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"],
            body: try JSONSerialization.data(withJSONObject: fields))
    }
}

extension HTTP.Response {
    /// Reads everything that a server sent until it closed the connection.
    fileprivate init(parsing bytes: Data, omitsBody: Bool) throws {
        let (status, headers, rest) = try Self.head(of: bytes)
        // Such as 100, which comes before the response.
        guard status >= 200 else {
            self = try Self(parsing: rest, omitsBody: omitsBody)
            return
        }
        (self.status, self.headers) = (status, headers)
        if omitsBody || status == 204 || status == 304 {
            body = Data()
        } else if headers["transfer-encoding"]?.lowercased() == "chunked" {
            body = try Self.joined(chunks: rest)
        } else {
            body = rest
            let length = headers["content-length"].flatMap { Int($0) } ?? body.count
            try #require(body.count == length, "\(length) bytes announced, \(body.count) received")
        }
    }

    private static func head(of bytes: Data) throws -> (status: Int, headers: [String: String], rest: Data) {
        let end = try #require(bytes.firstRange(of: Data("\r\n\r\n".utf8)), "no response: \(bytes.count) bytes")
        let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        let words = head.prefix { !$0.isNewline }.split(separator: " ")
        try #require(words.count > 1 && words[0].hasPrefix("HTTP/1."), "\(head)")
        return (try #require(Int(words[1]), "\(head)"), HTTP.fields(in: head), Data(bytes[end.upperBound...]))
    }

    private static func joined(chunks: Data) throws -> Data {
        var (body, rest) = (Data(), chunks)
        while true {
            let line = try #require(rest.firstRange(of: Data("\r\n".utf8)), "a chunk without a size")
            let size = String(decoding: rest[..<line.lowerBound], as: UTF8.self).prefix { $0 != ";" }
            let count = try #require(Int(size, radix: 16), "the size of a chunk: \(size)")
            guard count > 0 else { return body }
            let end = line.upperBound + count
            try #require(end + 2 <= rest.endIndex, "a chunk is cut short")
            body += rest[line.upperBound..<end]
            rest = rest[(end + 2)...]
        }
    }
}
