import Testing

/// One request and the documented response.
struct ContractCase: Sendable, CustomTestStringConvertible {
    /// A short description of the request.
    let name: String
    /// The operation that documents the response.
    let operation: OpenAPIDocument.Operation
    let status: Int
    /// The problem's code; nil for a response that is not a problem.
    let code: String?
    /// The bytes of the request.
    var request: String
    /// Whether it is sent twice, to a service that allows one request per hour.
    var isRepeated = false
    /// Whether it is sent to a service without the upload page, metrics, Git LFS and Apache Iceberg.
    var isBare = false
    /// Whether it is sent to a service with the embedded storage.
    var isLocal = false

    var testDescription: String { "\(operation.method) \(operation.path) \(status) \(name)" }

    static let all =
        responses + refusals + serverRefusals + storageRefusals + links + shares + permissions + batches + lfs + iceberg
        + repeated
        + misdirected
        + probes + notOffered

    static let key = "X-API-Key: \(LiveService.apiKey)"
    static let json = "Content-Type: application/json"
    static let form = "Content-Type: application/x-www-form-urlencoded"

    /// A complete request that asks the server to close the connection.
    static func message(_ line: String, _ headers: [String], _ body: String = "") -> String {
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        return ([line + " HTTP/1.1", "Host: localhost", "Connection: close"] + headers + length)
            .joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    static func presign(json body: String) -> String { message("POST /presign", [key, json], body) }
    static func presign(form body: String) -> String { message("POST /presign", [key, form], body) }

    private static let presigning = OpenAPIDocument.Operation(path: "/presign", method: "post")

    private static func post(_ status: Int, _ code: String?, _ name: String, _ request: String) -> ContractCase {
        ContractCase(name: name, operation: presigning, status: status, code: code, request: request)
    }

    private static let responses = [
        post(200, nil, "upload", presign(json: #"{"path":"uploads/web/a","method":"PUT","contentType":"image/png"}"#)),
        post(
            200, nil, "upload with settings",
            presign(
                json: #"{"path":"uploads/web/a","method":"PUT","contentLength":"5","metadata":{"owner":"web"}}"#)),
        post(200, nil, "form with settings", presign(form: "path=uploads/web/a&method=PUT&metadata.owner=web")),
        post(200, nil, "share link", presign(json: #"{"path":"uploads/web/a","share":true}"#)),
        post(200, nil, "form", presign(form: "path=uploads%2Fweb%2Fa&expiresIn=60")),
        post(200, nil, "existing", presign(json: #"{"key":"uploads/web/a","validateObjectExistence":true}"#)),
        post(200, nil, "text", message("POST /presign", [key, form, "Accept: text/plain"], "path=uploads/web/a")),
        post(
            200, nil, "from a page",
            message("POST /presign", [key, json, "Origin: \(LiveService.origin)"], #"{"path":"uploads/web/a"}"#)),
    ]

    private static let refusals = [
        post(400, "validation", "unknown member", presign(json: #"{"path":"uploads/web/a","expiresin":60}"#)),
        post(400, "validation", "no JSON", presign(json: #"{"path":"#)),
        post(400, "validation", "dot segment", presign(json: #"{"path":"uploads/web/../a"}"#)),
        post(400, "validation", "no time at all", presign(json: #"{"path":"uploads/web/a","expiresIn":0}"#)),
        post(400, "credentials-ambiguous", "two keys", message("POST /presign", [key, key, json], "{}")),
        post(400, "proxy-headers", "no proxy", message("POST /presign", [key, "X-Auth-User: web", json], "{}")),
        post(401, "credentials-missing", "no key", message("POST /presign", [json], #"{"path":"uploads/web/a"}"#)),
        post(
            401, "token-expired", "expired token",
            message("POST /presign", ["Authorization: Bearer \(LiveService.expiredToken)", json], "{}")),
        post(
            401, "key-expired", "expired key",
            message("POST /presign", ["X-API-Key: \(LiveService.expiredKey)", json], "{}")),
        post(401, "credentials-invalid", "bad key", message("POST /presign", ["X-API-Key: psk_web_no", json], "{}")),
        post(403, "forbidden", "another's path", presign(json: #"{"path":"uploads/other/a"}"#)),
        post(
            403, "foreign-origin", "foreign form",
            message("POST /presign", [key, form, "Origin: https://evil.example"], "path=uploads/web/a")),
        post(404, "no-such-route", "elsewhere", message("POST /elsewhere", [key, json], "{}")),
        post(405, "method-not-allowed", "GET", message("GET /presign", [key])),
        post(
            406, "not-acceptable", "text without headers",
            message("POST /presign", [key, form, "Accept: text/plain"], "path=uploads/web/a&method=PUT&metadata.a=b")),
        post(
            403, "forbidden", "another's path as text",
            message("POST /presign", [key, form, "Accept: text/plain"], "path=uploads/other/a")),
        post(415, "unsupported-media-type", "text", message("POST /presign", [key, "Content-Type: text/plain"], "a")),
        post(
            422, "constraint", "storage class",
            presign(json: #"{"path":"uploads/web/a","method":"PUT","storageClass":"GLACIER"}"#)),
        post(422, "constraint", "too long a life", presign(json: #"{"path":"uploads/web/a","expiresIn":7200}"#)),
    ]

    private static let serverRefusals = [
        post(400, "malformed-request", "two hosts", message("POST /presign", ["Host: other"])),
        post(408, "timeout", "half a head", "POST /presign HTTP/1.1\r\nHost: localhost\r\n"),
        post(413, "body-too-large", "long body", message("POST /presign", [key, json, "Content-Length: 20000"])),
        post(414, "target-too-long", "long target", message("POST /" + long(9000), [])),
        post(417, "expectation-failed", "hope", message("POST /presign", [key, json, "Expect: the-best"], "{}")),
        post(431, "headers-too-large", "long header", message("POST /presign", ["A: " + long(17_000)])),
        post(501, "not-implemented", "gzip coding", message("POST /presign", [key, json, "Transfer-Encoding: gzip"])),
        post(505, "http-version", "HTTP/3.7", "POST /presign HTTP/3.7\r\nHost: localhost\r\n\r\n"),
    ]

    private static func checked(_ status: Int, _ code: String, _ object: String) -> ContractCase {
        let body = #"{"path":"uploads/web/\#(object)","validateObjectExistence":true}"#
        return post(status, code, "object \(object)", presign(json: body))
    }

    private static let storageRefusals = [
        checked(404, "key-not-found", "404"), checked(500, "server-error", "dropped"),
        checked(502, "storage-denied", "403"), checked(502, "storage-error", "500"),
        checked(502, "storage-unreachable", "unreachable"), checked(503, "overloaded", "crowded"),
        checked(504, "storage-timeout", "slow"),
    ]

    private static let deciding = [
        ("POST", "/presign"), ("POST", "/presign/batch"), ("GET", "/o/{path}"), ("HEAD", "/o/{path}"),
        ("PUT", "/o/{path}"),
        ("GET", "/permissions"), ("HEAD", "/permissions"),
    ]

    private static let misdirected = (deciding + [("GET", "/")]).map { method, path in
        ContractCase(
            name: "another host", operation: .init(path: path, method: method.lowercased()), status: 421,
            code: method == "HEAD" ? nil : "misdirected-request",
            request: message("\(method) \(path.replacing("{path}", with: "a"))", [])
                .replacing("Host: localhost", with: "Host: dev.example:8080"), isLocal: true)
    }

    private static let repeated = deciding.map { method, path in
        let target =
            path.replacing("{path}", with: "uploads/web/a") + (path == "/permissions" ? "?path=uploads/web/a" : "")
        let body = path == "/presign/batch" ? #"{"requests":[{"path":"uploads/web/a"}]}"# : #"{"path":"uploads/web/a"}"#
        return ContractCase(
            name: "twice", operation: .init(path: path, method: method.lowercased()), status: 429,
            code: method == "HEAD" ? nil : "rate-limited",
            request: message("\(method) \(target)", [key, json], method == "POST" ? body : ""), isRepeated: true)
    }

    private static func probe(_ method: String, _ path: String, _ status: Int, _ headers: [String] = []) -> Self {
        ContractCase(
            name: headers.isEmpty ? "probe" : "preflight", operation: .init(path: path, method: method.lowercased()),
            status: status, code: nil, request: message("\(method) \(path)", headers))
    }

    private static func wrongMethod(_ path: String) -> ContractCase {
        ContractCase(
            name: "PUT", operation: .init(path: path, method: "get"), status: 405, code: "method-not-allowed",
            request: message("PUT \(path)", []))
    }

    static let preflight = ["Origin: \(LiveService.origin)", "Access-Control-Request-Method: POST"]

    private static let probes =
        ["/healthz", "/readyz", "/metrics", "/openapi.yaml", "/", "/presign.js", "/presign-worker.js"].flatMap { path in
            [probe("GET", path, 200), probe("HEAD", path, 200), probe("OPTIONS", path, 204), wrongMethod(path)]
        }
        + ["/", "/presign.js", "/presign-worker.js"].flatMap { path in
            ["GET", "HEAD"].map { probe($0, path, 304, ["If-None-Match: *"]) }
        }
        + [probe("OPTIONS", "/presign", 204), probe("OPTIONS", "/presign", 204, preflight)]

    private static let notOffered = ["/metrics", "/", "/presign.js", "/presign-worker.js"].flatMap { path in
        ["GET", "HEAD", "OPTIONS"].map { method in
            ContractCase(
                name: "not offered", operation: .init(path: path, method: method.lowercased()), status: 404,
                code: method == "HEAD" ? nil : "no-such-route", request: message("\(method) \(path)", []), isBare: true)
        }
    }
}
