/// A complete `POST /presign`.
///
/// - Parameters:
///   - key: The value of X-API-Key; nil omits it.
///   - more: Additional header lines.
func presignRequest(
    _ body: String, key: String? = SampleConfiguration.Key.web, type: String? = "application/json",
    _ more: [String] = []
) -> String {
    var lines = ["POST /presign HTTP/1.1", "Host: presign.test", "Content-Length: \(body.utf8.count)"]
    if let type { lines.append("Content-Type: \(type)") }
    if let key { lines.append("X-API-Key: \(key)") }
    return (lines + more).joined(separator: "\r\n") + "\r\n\r\n" + body
}

/// A complete `POST /presign/batch`; see `presignRequest`.
func batchRequest(
    _ items: [String], key: String? = SampleConfiguration.Key.web, _ more: [String] = []
) -> String {
    batchRequest(body: #"{"requests":[\#(items.joined(separator: ","))]}"#, key: key, more)
}

func batchRequest(
    body: String, key: String? = SampleConfiguration.Key.web, type: String? = "application/json", _ more: [String] = []
) -> String {
    let single = presignRequest(body, key: key, type: type, more)
    return single.replacing("POST /presign ", with: "POST /presign/batch ", maxReplacements: 1)
}
