import EmbeddedFiles
import HTTP1
import Requests
import Telemetry
import UploadPage

/// The routes that sign nothing.
extension Endpoint {
    /// `OPTIONS`: the preflight response, or the methods of a route.
    func preflight(_ request: HTTPRequest, _ route: Route) -> HTTPResponse {
        guard let origin = request.headers.first(.origin),
            request.headers.first(.accessControlRequestMethod) != nil
        else {
            var response = HTTPResponse(status: 204)
            response.add("allow", route.allow)
            return response
        }
        return snapshot.cors.preflight(for: origin, methods: route.allow)
    }

    /// A file of the upload page.
    func page(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
        guard let page = snapshot.page, let asset = UploadPage.asset(at: request.path) else { throw Refusal(.notFound) }
        return page.response(with: asset, to: request.headers)
    }

    /// `GET /openapi.yaml`.
    func openAPI() -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: EmbeddedFiles.apiDescription)
        response.add("content-type", "application/yaml")
        response.add("x-content-type-options", "nosniff")
        return response
    }

    /// `GET /readyz`.
    func readiness() throws(Refusal) -> HTTPResponse {
        if service.isReady(snapshot, at: service.time()) { return .text("ready\n") }
        throw Refusal(
            .credentialsUnavailable(
                "The service is stopping, no store has usable credentials, or issuers' keys are being fetched",
                retryAfter: snapshot.stores.secondsToAttempt))
    }
}
