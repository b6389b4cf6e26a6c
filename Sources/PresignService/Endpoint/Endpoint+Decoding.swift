import DataFormats
import HTTP1
import Presigning
import Requests

/// What a presign request is decoded from.
enum PresignSource {
    /// `POST /presign`, and whether the client prefers the URL as text.
    case body(asText: Bool)
    /// `GET|HEAD|PUT /o/{path}`.
    case link
    /// An item of a batch.
    case item
    /// `GET|HEAD|PUT /s/{token}`.
    case share
}

extension Endpoint {
    /// Returns why the head alone rules out a valid body: a query, or an unsupported content type; else nil.
    func headRefusal(_ head: HTTPRequest, _ route: Route) -> Problem? {
        do throws(Problem) {
            _ = try form(of: head, route)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the format of the body; throws if the head alone rules out a valid one.
    private func form(of head: HTTPRequest, _ route: Route) throws(Problem) -> BodyForm {
        if let problem = Problem.unexpectedQuery(head.query) { throw problem }
        if head.headers.announceNoBody { throw .emptyBody(route) }
        guard let form = head.headers.bodyForm, route.accepts(form) else {
            throw .unsupportedMediaType(head.headers, route, body: head.body)
        }
        return form
    }

    /// The decode stage of `POST /presign`: returns the request that the fields describe.
    func fields(of request: HTTPRequest) throws(Problem) -> PresignRequest {
        guard try form(of: request, .presign) == .form else {
            if request.body.looksLikeForm { throw .formSentAsJSON }
            return try Problem.reporting { () throws(InvalidRequest) in
                try PresignRequest(json: request.body, limit: snapshot.configuration.bodies.single)
            }
        }
        // Browsers send forms to any origin without a preflight; only the Origin header tells them from curl.
        if let origin = request.headers.first(.origin), !snapshot.cors.isListed(origin) { throw .foreignForm }
        if request.body.looksLikeJSON { throw .jsonSentAsForm }
        return try Problem.reporting { () throws(InvalidRequest) in try PresignRequest(form: request.body) }
    }

    /// The decode stage of a link.
    func fields(ofLink request: HTTPRequest) throws(Problem) -> PresignRequest {
        var fields = try Problem.reporting { () throws(InvalidRequest) in
            try PresignRequest(link: Route.linkedPath(of: request), query: request.query)
        }
        switch request.method {
        case .put: try fields.takeUpload(request)
        // The check of a GET tells what the response to HEAD says.
        case .head where snapshot.stores.store(fields.store)?.configuration.validatesExistence != true:
            fields.method = .head
        default: fields.method = .get
        }
        if fields.store == nil, snapshot.stores.store(nil)?.configuration.offersLinks == false { throw .notFound }
        return fields
    }
}
