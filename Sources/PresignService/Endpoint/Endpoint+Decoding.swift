import HTTP1
import Presigning

/// Where a presign request comes from.
enum PresignSource {
    /// `POST /presign`.
    case body(HTTPRequest)
    /// `GET|HEAD /o/{path}`.
    case link(HTTPRequest)
    /// The JSON of one item of a batch.
    case item(ArraySlice<UInt8>)
}

extension Endpoint {
    /// The decode stage: the members of a presign request, typed but not yet judged.
    func decode(_ source: PresignSource) throws(Refusal) -> PresignFields {
        do throws(Problem) {
            switch source {
            case .body(let request): return try fields(of: request)
            case .link(let request): return try fields(ofLink: request)
            case .item(let text):
                guard text.count <= snapshot.bodies.single else { throw .itemTooLarge(limit: snapshot.bodies.single) }
                return try PresignFields(json: text, from: .item, limit: snapshot.bodies.single)
            }
        } catch {
            throw Refusal(error)
        }
    }

    /// What the members come to.
    func plan(_ fields: PresignFields) throws(Refusal) -> PresignPlan {
        do throws(Problem) {
            return try PresignPlan(fields)
        } catch {
            throw Refusal(error)
        }
    }

    /// Why the body of `POST /presign` or `POST /presign/batch` would be refused whatever it holds.
    func headRefusal(_ head: HTTPRequest, _ route: Route) -> Problem? {
        if let problem = Problem.unreadQuery(head.query) { return problem }
        guard let form = BodyForm(head.headers), route.takes(form) else {
            return .unsupportedMediaType(head.headers, route, body: head.body)
        }
        return nil
    }

    private func fields(of request: HTTPRequest) throws(Problem) -> PresignFields {
        if let problem = headRefusal(request, .presign) { throw problem }
        guard BodyForm(request.headers) == .form else {
            return try PresignFields(json: request.body, limit: snapshot.bodies.single)
        }
        // Browsers send forms anywhere without a preflight; only their Origin tells them from curl.
        if let origin = request.headers.first(.origin), !snapshot.cors.isListed(origin) { throw .foreignForm }
        if request.body.looksLikeJSON { throw .jsonSentAsForm }
        return try PresignFields(form: request.body)
    }

    private func fields(ofLink request: HTTPRequest) throws(Problem) -> PresignFields {
        let fields = try PresignFields(
            link: Route.linkedPath(of: request), method: request.method == .head ? .head : .get, query: request.query)
        if fields[.store] == nil, snapshot.stores.store(nil)?.configuration.offersLinks == false { throw .notFound }
        return fields
    }
}

extension Problem {
    /// 413: an item that would be too large if it were sent alone.
    fileprivate static func itemTooLarge(limit: Int) -> Problem {
        Problem(
            413, .bodyTooLarge, "The body is too large",
            "The item has more than the \(limit) bytes that one request may have")
    }
}
