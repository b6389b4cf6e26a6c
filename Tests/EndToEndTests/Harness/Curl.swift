import Foundation
import Testing

/// Requests by the real curl, sent unchanged: without globbing, path normalization, proxy and default headers. For what
/// `HTTP` cannot do, such as TLS, and for tests of curl itself.
enum Curl {
    /// - Parameters:
    ///   - resolve: `host:port:address`, for names without a DNS entry.
    ///   - authority: A file with the certificate to trust, for https.
    ///   - options: Additional options of curl.
    ///   - timeout: The total time in seconds. Without a response the status is then 0 (or 100, if that was sent).
    static func send(
        _ method: String, _ url: String, headers: [String: String] = [:], body: Data? = nil, resolve: String? = nil,
        authority: URL? = nil, options: [String] = [], timeout: Int = 60
    ) async throws -> HTTP.Response {
        try await withTemporaryDirectory { directory in
            let (head, content) = (directory.appending(path: "head"), directory.appending(path: "content"))
            var arguments = [
                "-q", "-sS", "-g", "--path-as-is", "--noproxy", "*", "--max-time", "\(timeout)",
                "-D", head.path(), "-o", content.path(), "-w", "%{http_code}",
            ]
            arguments += method == "HEAD" ? ["-I"] : ["-X", method]
            arguments += options
            arguments += resolve.map { ["--resolve", $0] } ?? []
            arguments += authority.map { ["--cacert", $0.path()] } ?? []
            // By default curl would send every body as a form.
            let namesType = headers.keys.contains { $0.lowercased() == "content-type" }
            arguments += namesType ? [] : ["-H", "Content-Type:"]
            for (name, value) in headers { arguments += ["-H", "\(name): \(value)"] }
            if let body {
                let upload = directory.appending(path: "upload")
                try body.write(to: upload)
                let expects = headers.keys.contains { $0.lowercased() == "expect" }
                arguments += (expects ? [] : ["-H", "Expect:"]) + ["--data-binary", "@\(upload.path())"]
            }
            let result = try await Command.run("/usr/bin/curl", arguments + [url])
            // A server may reject an upload before reading it; curl then has the response and reports 55 or 56. 28 is
            // the timeout.
            try #require([0, 28, 55, 56].contains(result.status), "curl: \(result.errors)")
            // For a response to HEAD, curl writes the header again in place of a body.
            let body = method == "HEAD" ? nil : try? Data(contentsOf: content)
            let fields = HTTP.fields(in: try String(contentsOf: head, encoding: .utf8))
            return HTTP.Response(status: try #require(Int(result.output)), headers: fields, body: body ?? Data())
        }
    }
}
