import HTTPServing

extension ServiceHandler {
    /// Orchestrators kill a process that does not answer for its life, and take one that is not ready out of service: being
    /// busy is no reason for either. A preflight costs nothing, and without its answer a page never learns of the rest.
    func mustAnswer(_ request: HTTPRequest) -> Bool {
        request.hasPath("/healthz") || request.hasPath("/readyz") || request.method == .options
    }
}
