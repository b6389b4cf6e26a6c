import SocketTestSupport

/// What one request causes: the response, and the lines in the request log and in the audit.
struct Exchange {
    let response: RawResponse
    /// Nil if the request is not logged.
    let log: LogLine?
    /// One line, or one per item of a batch; none if the audit is off.
    let audit: [AuditEntry]

    var status: Int { response.status }

    /// The value of a header that occurs once; nil otherwise.
    subscript(header: String) -> String? { response[header] }
}

extension TestService {
    /// Sends a POST with a JSON body.
    ///
    /// - Parameters:
    ///   - key: the value of X-API-Key; nil omits it.
    ///   - headers: more header lines.
    func post(
        _ path: String, _ json: String, as key: String? = SampleConfiguration.Key.web, _ headers: [String] = []
    ) throws -> Exchange {
        try send(presignRequest(json, key: key, headers).replacing("/presign ", with: "\(path) ", maxReplacements: 1))
    }

    /// Sends a GET.
    func get(
        _ target: String, as key: String? = SampleConfiguration.Key.web, _ headers: [String] = []
    ) throws -> Exchange {
        let lines =
            ["GET \(target) HTTP/1.1", "Host: presign.test"] + (key.map { ["X-API-Key: \($0)"] } ?? []) + headers
        return try send(lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// Sends a complete request and collects what it causes.
    func send(_ request: String) throws -> Exchange {
        let (logged, audited) = (logLines().count, auditLines().count)
        let response = try exchange(request)
        let log = try LogLine.all(in: Array(logLines().dropFirst(logged)))
        guard log.count < 2 else { throw RawClient.Failure(description: "the request was logged \(log.count) times") }
        return Exchange(
            response: response, log: log.first,
            audit: try AuditEntry.all(in: auditLines().dropFirst(audited).joined(separator: "\n").utf8))
    }
}
