import HTTP1

/// The answer to a request for the metrics.
struct MetricsAnswer: PendingAnswer {
    /// Hands the text to its argument on another thread.
    let report: @Sendable (@escaping @Sendable ([UInt8]) -> Void) -> Void

    func resolve(
        with existence: ExistenceCheck, for request: PendingRequest,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void
    ) {
        report { completion(LateAnswer(response: Self.response($0))) }
    }

    /// The version is that of the text format (Prometheus, "Exposition formats").
    static func response(_ text: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, fields: fields, body: text)
    }

    private static let fields = HTTPFields([("content-type", "text/plain; version=0.0.4; charset=utf-8")])
}
