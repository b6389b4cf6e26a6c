extension ContractCase {
    static let batches = [
        batch(200, nil, "both", presignBatch(#"{"requests":[{"path":"uploads/web/a"},{"path":"uploads/other/a"}]}"#)),
        batch(200, nil, "checked", presignBatch(#"{"requests":[\#(checked("a")),\#(checked("crowded"))]}"#)),
        batch(400, "validation", "no batch", presignBatch(#"{"path":"uploads/web/a"}"#)),
        batch(401, "credentials-missing", "no key", message("POST /presign/batch", [json], "{}")),
        batch(405, "method-not-allowed", "GET", message("GET /presign/batch", [key])),
        batch(408, "timeout", "half a head", "POST /presign/batch HTTP/1.1\r\nHost: localhost\r\n"),
        batch(413, "body-too-large", "long", message("POST /presign/batch", [key, json, "Content-Length: 2000000"])),
        batch(414, "target-too-long", "long target", message("POST /presign/batch?" + long(9000), [])),
        batch(415, "unsupported-media-type", "form", message("POST /presign/batch", [key, form], "path=a")),
        batch(417, "expectation-failed", "hope", message("POST /presign/batch", [key, json, "Expect: best"], "{}")),
        batch(431, "headers-too-large", "long header", message("POST /presign/batch", ["A: " + long(17_000)])),
        batch(501, "not-implemented", "gzip", message("POST /presign/batch", [key, json, "Transfer-Encoding: gzip"])),
        batch(505, "http-version", "HTTP/3.7", "POST /presign/batch HTTP/3.7\r\nHost: localhost\r\n\r\n"),
        ContractCase(
            name: "preflight", operation: .init(path: "/presign/batch", method: "options"), status: 204, code: nil,
            request: message("OPTIONS /presign/batch", preflight)),
    ]

    private static func batch(_ status: Int, _ code: String?, _ name: String, _ request: String) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/presign/batch", method: "post"), status: status, code: code,
            request: request)
    }

    private static func checked(_ object: String) -> String {
        #"{"path":"uploads/web/\#(object)","validateObjectExistence":true}"#
    }

    static func presignBatch(_ body: String) -> String { message("POST /presign/batch", [key, json], body) }
}
