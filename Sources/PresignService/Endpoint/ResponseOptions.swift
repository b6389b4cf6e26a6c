import HTTP1

/// What the head of a request decides about its response, whatever the outcome.
struct ResponseOptions: Sendable {
    /// The request's `Origin`, for CORS; nil without one, and if no page may read responses.
    var origin: [UInt8]?
    /// Why the page that sent the request may not read the response; nil if it may.
    var originRefusal: String?
    /// Whether the client prefers a line of text to JSON, for URLs and for errors.
    var prefersText = false
}

extension Endpoint {
    /// Returns the options of the response to a request, and reports an origin that is not allowed.
    func responseOptions(of head: HTTPRequest) -> ResponseOptions {
        var options = ResponseOptions(prefersText: head.headers.prefersText)
        guard let origin = head.headers.first(.origin) else { return options }
        if !snapshot.cors.isEmpty { options.origin = Array(origin) }
        if let refusal = OriginRefusal(of: head, under: snapshot.cors) {
            options.originRefusal = refusal.detail
            service.refusedOrigins.report(refusal, at: head.received)
        }
        return options
    }
}
