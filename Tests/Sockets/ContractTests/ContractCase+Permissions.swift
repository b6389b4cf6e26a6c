extension ContractCase {
    static let permissions = permissionResponses + permissionServerRefusals

    private static let permissionResponses =
        ["GET", "HEAD"].flatMap { method in
            [
                permission(200, nil, "own path", method, "?path=uploads/web/a"),
                permission(200, nil, "all limits", method, "?path=limited/a"),
                permission(200, nil, "prefix", method, "?path=limited/"),
                permission(200, nil, "nothing", method, "?path=uploads/other/a&store=closed"),
                permission(200, nil, "no path", method, ""),
                permission(200, nil, "no path, another store", method, "?store=closed"),
                permission(400, "validation", "unknown store", method, "?store=nowhere"),
                permission(400, "validation", "dot segment", method, "?path=uploads/../a"),
                permission(401, "credentials-missing", "no key", method, "?path=uploads/web/a", []),
            ]
        } + [
            permission(204, nil, "preflight", "OPTIONS", "", preflight),
            permission(405, "method-not-allowed", "PUT", "GET", request: message("PUT /permissions?path=a", [key])),
        ]

    /// Rejections by the HTTP server itself, the same for both methods.
    private static let permissionServerRefusals = ["GET", "HEAD"].flatMap { method in
        let line = "\(method) /permissions?path=uploads/web/a"
        return [
            (408, "timeout", "half a head", line + " HTTP/1.1\r\nHost: localhost\r\n"),
            (413, "body-too-large", "long body", message(line, [key, "Content-Length: 2000000"])),
            (414, "target-too-long", "long target", message("\(method) /permissions?path=" + long(9000), [])),
            (417, "expectation-failed", "hope", message(line, [key, "Expect: the-best"])),
            (431, "headers-too-large", "long header", message(line, ["A: " + long(17_000)])),
            (501, "not-implemented", "gzip coding", message(line, [key, "Transfer-Encoding: gzip"])),
            (505, "http-version", "HTTP/3.7", line + " HTTP/3.7\r\nHost: localhost\r\n\r\n"),
        ].map { status, code, name, request in permission(status, code, name, method, request: request) }
    }

    private static func permission(
        _ status: Int, _ code: String?, _ name: String, _ method: String, request: String
    ) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/permissions", method: method.lowercased()), status: status,
            code: method == "HEAD" ? nil : code, request: request)
    }

    private static func permission(
        _ status: Int, _ code: String?, _ name: String, _ method: String, _ query: String, _ headers: [String] = [key]
    ) -> ContractCase {
        permission(status, code, name, method, request: message("\(method) /permissions\(query)", headers))
    }
}
