import HTTP1
import Presigning
import Requests

/// What a presign request is decoded from.
enum PresignSource {
    /// `POST /presign`, and whether the client prefers the URL as text.
    case body(HTTPRequest, asText: Bool)
    /// `GET|HEAD /o/{path}`.
    case link(HTTPRequest)
    /// The JSON of one item of a batch.
    case item(ArraySlice<UInt8>)
    /// The fields of one object of a Git LFS batch, or what is wrong with it.
    case fields(Result<PresignRequest, Problem>)
    /// `GET|HEAD|PUT /s/{token}`, and the fields that the opened link and the request's headers give.
    case share(HTTPRequest, PresignRequest)
}

extension Endpoint {
    /// The decode stage: returns the request that the fields describe, before its operation is selected.
    func decode(_ source: PresignSource) throws(Refusal) -> PresignRequest {
        do throws(Problem) {
            switch source {
            case .body(let request, _): return try fields(of: request)
            case .link(let request): return try fields(ofLink: request)
            case .item(let text):
                let limit = snapshot.bodies.single
                guard text.count <= limit else { throw .itemTooLarge(limit: limit) }
                return try Problem.reporting { () throws(InvalidRequest) in
                    try PresignRequest(json: text, from: .item, limit: limit)
                }
            case .fields(let fields): return try fields.get()
            case .share(_, let fields): return fields
            }
        } catch {
            throw Refusal(error)
        }
    }

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

    private func fields(of request: HTTPRequest) throws(Problem) -> PresignRequest {
        guard try form(of: request, .presign) == .form else {
            if request.body.looksLikeForm { throw .formSentAsJSON }
            return try Problem.reporting { () throws(InvalidRequest) in
                try PresignRequest(json: request.body, limit: snapshot.bodies.single)
            }
        }
        // Browsers send forms to any origin without a preflight; only the Origin header tells them from curl.
        if let origin = request.headers.first(.origin), !snapshot.cors.isListed(origin) { throw .foreignForm }
        if request.body.looksLikeJSON { throw .jsonSentAsForm }
        return try Problem.reporting { () throws(InvalidRequest) in try PresignRequest(form: request.body) }
    }

    private func fields(ofLink request: HTTPRequest) throws(Problem) -> PresignRequest {
        let fields = try Problem.reporting { () throws(InvalidRequest) in
            try PresignRequest(
                link: Route.linkedPath(of: request), method: request.method == .head ? .head : .get,
                query: request.query)
        }
        if fields.store == nil, snapshot.stores.store(nil)?.configuration.offersLinks == false { throw .notFound }
        return fields
    }
}

extension Problem {
    /// 413: a batch item above the limit of a single request.
    fileprivate static func itemTooLarge(limit: Int) -> Problem {
        Problem(
            413, .bodyTooLarge, "The body is too large",
            "The item is larger than \(limit) bytes, the limit for one request")
    }
}
