import Foundation

extension ContractCase {
    static let links = linkAnswers + linkRefusals + linkUploadRefusals + linkServerRefusals

    private static let linkAnswers = [
        link(307, nil, "download", "GET", "/o/uploads/web/a?expiresIn=60"),
        link(307, nil, "head", "HEAD", "/o/uploads/web/a"),
        link(200, nil, "described", "HEAD", "/o/uploads/web/a?store=checked"),
        link(307, nil, "upload", "PUT", "/o/uploads/web/a?expiresIn=60", [key, nine]),
        link(307, nil, "upload with Basic", "PUT", "/o/uploads/web/a", [basic, nine]),
        link(307, nil, "cacheable", "GET", "/o/uploads/web/a?store=stable"),
        link(307, nil, "cacheable head", "HEAD", "/o/uploads/web/a?store=stable"),
        link(204, nil, "preflight", "OPTIONS", "/o/uploads/web/a", preflight),
    ]

    private static let linkRefusals = [
        link(400, "validation", "unknown parameter", "GET", "/o/uploads/web/a?method=PUT"),
        link(401, "credentials-missing", "no key", "GET", "/o/uploads/web/a", []),
        link(403, "forbidden", "another's path", "GET", "/o/uploads/other/a"),
        link(400, "validation", "a store without links", "GET", "/o/uploads/web/a?store=closed"),
        link(403, "forbidden", "another's path by a link", "GET", "/o/uploads/other/a"),
        link(404, "key-not-found", "no object", "GET", "/o/uploads/web/404?store=checked"),
        link(422, "constraint", "too long a life", "GET", "/o/uploads/web/a?expiresIn=7200"),
        link(500, "server-error", "dropped", "GET", "/o/uploads/web/dropped?store=checked"),
        link(502, "storage-error", "500", "GET", "/o/uploads/web/500?store=checked"),
        link(503, "overloaded", "crowded", "GET", "/o/uploads/web/crowded?store=checked"),
        link(503, "credentials-unavailable", "no credentials", "GET", "/o/uploads/web/a?store=idle"),
        link(504, "storage-timeout", "slow", "GET", "/o/uploads/web/slow?store=checked"),
        link(400, nil, "unknown parameter", "HEAD", "/o/uploads/web/a?method=PUT"),
        link(401, nil, "no key", "HEAD", "/o/uploads/web/a", []),
        link(403, nil, "another's path", "HEAD", "/o/uploads/other/a"),
        link(404, nil, "nothing", "HEAD", "/o"),
        link(404, nil, "no object", "HEAD", "/o/uploads/web/404?store=checked"),
        link(422, nil, "too long a life", "HEAD", "/o/uploads/web/a?expiresIn=7200"),
        link(500, nil, "dropped", "HEAD", "/o/uploads/web/dropped?store=checked"),
        link(502, nil, "500", "HEAD", "/o/uploads/web/500?store=checked"),
        link(504, nil, "slow", "HEAD", "/o/uploads/web/slow?store=checked"),
        link(503, nil, "no credentials", "HEAD", "/o/uploads/web/a?store=idle"),
        link(405, "method-not-allowed", "DELETE", "GET", request: message("DELETE /o/uploads/web/a", [key])),
        link(
            403, "foreign-origin", "Basic for another's page", "GET", "/o/uploads/web/a",
            [basic, "Origin: https://evil.example"]),
    ]

    private static let nine = "Content-Length: 9"
    private static let basic = "Authorization: Basic " + Data(":\(LiveService.apiKey)".utf8).base64EncodedString()

    private static let linkUploadRefusals = [
        link(400, "validation", "unsigned header", "PUT", "/o/uploads/web/a", [key, nine, "x-amz-acl: private"]),
        link(401, "credentials-missing", "no key", "PUT", "/o/uploads/web/a", [nine]),
        link(403, "forbidden", "another's path", "PUT", "/o/uploads/other/a", [key, nine]),
        link(404, "no-such-route", "nothing", "PUT", "/o", [key, nine]),
        link(411, "length-required", "chunks", "PUT", "/o/uploads/web/a", [key, "Transfer-Encoding: chunked"]),
        link(413, "constraint", "a large file", "PUT", "/o/photos/a", [key, "Content-Length: 2000000"]),
        link(422, "constraint", "no length", "PUT", "/o/photos/a", [key]),
        link(503, "credentials-unavailable", "no credentials", "PUT", "/o/uploads/web/a?store=idle", [key, nine]),
    ]

    /// Rejections by the HTTP server itself, the same for all methods.
    private static let linkServerRefusals = ["GET", "HEAD", "PUT"].flatMap { method in
        let line = "\(method) /o/uploads/web/a"
        return [
            (408, "timeout", "half a head", line + " HTTP/1.1\r\nHost: localhost\r\n"),
            (413, "body-too-large", "long body", message(line, [key, "Content-Length: 2000000"])),
            (414, "target-too-long", "long target", message("\(method) /o/" + long(9000), [])),
            (417, "expectation-failed", "hope", message(line, [key, "Expect: the-best"])),
            (431, "headers-too-large", "long header", message(line, ["A: " + long(17_000)])),
            (501, "not-implemented", "gzip coding", message(line, [key, "Transfer-Encoding: gzip"])),
            (505, "http-version", "HTTP/3.7", line + " HTTP/3.7\r\nHost: localhost\r\n\r\n"),
        ].filter { status, _, _, _ in status != 413 || method != "PUT" }.map { status, code, name, request in
            link(status, method == "HEAD" ? nil : code, name, method, request: request)
        }
    }

    private static func link(
        _ status: Int, _ code: String?, _ name: String, _ method: String, request: String
    ) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/o/{path}", method: method.lowercased()), status: status, code: code,
            request: request)
    }

    private static func link(
        _ status: Int, _ code: String?, _ name: String, _ method: String, _ target: String, _ headers: [String] = [key]
    ) -> ContractCase {
        link(status, code, name, method, request: message("\(method) \(target)", headers))
    }
}
