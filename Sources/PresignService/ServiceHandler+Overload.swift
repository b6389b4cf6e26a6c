import HTTPServing

extension ServiceHandler {
    /// Orchestrators kill a process that does not answer for its life: being busy is no reason to die.
    func mustAnswer(_ request: HTTPRequest) -> Bool {
        request.hasPath("/healthz")
    }
}
