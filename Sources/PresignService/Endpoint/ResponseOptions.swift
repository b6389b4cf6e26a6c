import HTTP1

/// What the head of a request decides about its response, whatever the outcome.
struct ResponseOptions: Sendable {
    /// The request's `Origin`, for CORS; nil without one, and if no page may read responses.
    var origin: [UInt8]?
    /// Why the page that sent the request may not read the response, or may not send what it announces; nil if it may.
    var crossOriginRefusal: String?
    /// The form of an error. A client that prefers its errors as text gets URLs as text too.
    var errorForm = ProblemForm.json
}

extension Endpoint {
    /// Returns the options of the response to a request, and reports an origin that is not allowed.
    func responseOptions(of head: HTTPRequest, _ route: Route) -> ResponseOptions {
        var options = ResponseOptions()
        if route == .lfs || route == .lfsLocks {
            options.errorForm = .lfs
        } else if head.headers.prefersText {
            options.errorForm = .text
        }
        guard !offersOnlyMetrics, let origin = head.headers.first(.origin) else { return options }
        if !snapshot.cors.isEmpty { options.origin = Array(origin) }
        if let refusal = OriginRefusal(of: head, under: snapshot.cors) {
            options.crossOriginRefusal = refusal.detail
            service.refusedOrigins.report(refusal, at: head.received)
        } else if snapshot.cors.allows(origin) {
            options.crossOriginRefusal = snapshot.cors.headerRefusal(of: head)
        }
        return options
    }
}
