import Requests
import SocketTestSupport
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// A request as the interpreter knows it.
enum Question {
    case health
    case presign(DecisionRequest, checksExistence: Bool)
    /// The items of one caller.
    case batch([DecisionRequest], checksExistence: Bool)
    case link(DecisionRequest)
    /// An upload with a plain link.
    case upload(LinkUpload, DecisionRequest)
    case permissions(DecisionRequest)
    /// A request to sign for Apache Iceberg.
    case remote(RemoteDecision)
    /// A listing; the path of the request is the prefix.
    case listing(DecisionRequest)
    case makeShare(DecisionRequest)
    case useShare(ShareUse)

    init(_ random: inout RandomPolicy, _ rules: NaivePolicy, _ links: [ShareLink]) {
        let isNear = random.one(of: [true, true, false])
        let request = isNear ? random.request(near: rules) : DecisionRequest(&random)
        let checksExistence = random.one(of: [true, false, false])
        switch Int.random(in: 0..<20, using: &random.generator) {
        case 0: self = .health
        case 1..<4:
            let more = (0..<Int.random(in: 0..<5, using: &random.generator)).map { _ in
                random.request(near: rules).naive
            }
            let items = ([request.naive] + more).map { naive in
                var naive = naive
                naive.who = request.caller.who
                return DecisionRequest(naive, by: request.caller)
            }
            self = .batch(items, checksExistence: checksExistence)
        case 4..<6 where request.link != nil: self = .link(request)
        case 4..<6 where request.naive.action == "write":
            var naive = request.naive
            // The client sends the body too.
            naive.length = naive.length.map { min($0, 25) }
            let short = DecisionRequest(naive, by: request.caller)
            let upload = LinkUpload(short, isCreation: random.one(of: [true, false]))
            self = upload.map { .upload($0, short) } ?? .presign(short, checksExistence: false)
        case 6: self = .permissions(request)
        case 7: self = .listing(random.listing())
        case 8: self = .presign(random.form(near: rules), checksExistence: false)
        case 9..<11: self = .makeShare(random.share(near: rules))
        case 11..<15:
            self =
                links.isEmpty
                ? .makeShare(random.share(near: rules)) : .useShare(ShareUse(&random, of: random.one(of: links)))
        case 15..<17:
            let decision = RemoteDecision(request, isCreation: random.one(of: [true, false]))
            self = decision.map { .remote($0) } ?? .presign(request, checksExistence: checksExistence)
        default: self = .presign(request, checksExistence: checksExistence)
        }
    }

    /// The complete request.
    ///
    /// - Parameter padding: the number of spaces after a body.
    func text(id: String, padding: Int) throws -> String {
        let spaces = String(repeating: " ", count: padding)
        func body(_ request: DecisionRequest, _ checksExistence: Bool) throws -> String {
            var members = request.members
            if checksExistence, request.naive.action == "get", request.naive.step == nil {
                members["validateObjectExistence"] = true
            }
            return try DecisionRequest.json(members)
        }
        func headers(_ request: DecisionRequest) -> [String] { request.caller.headers + ["X-Request-Id: \(id)"] }
        switch self {
        case .health: return Self.head("GET", "/healthz", ["X-Request-Id: \(id)"])
        case .presign(let request, let checksExistence):
            return presignRequest(try body(request, checksExistence) + spaces, key: nil, headers(request))
        case .makeShare(let request), .listing(let request):
            return presignRequest(try body(request, false) + spaces, key: nil, headers(request))
        case .batch(let requests, let checksExistence):
            let items = try requests.map { try body($0, checksExistence) }
            return batchRequest(items, key: nil, headers(requests[0]))
        case .remote(let decision):
            let lines = decision.caller.headers + ["X-Request-Id: \(id)"]
            return presignRequest(try decision.question.json + spaces, key: nil, lines)
                .replacing("/presign ", with: "/iceberg/\(decision.store)/sign ", maxReplacements: 1)
        case .link(let request): return Self.head("GET", request.link ?? "", headers(request))
        case .upload(let upload, let request):
            return Self.head("PUT", upload.target, headers(request) + upload.headerLines) + Self.body(upload.headers)
        case .permissions(let request): return Self.head("GET", request.permissions, headers(request))
        case .useShare(let use):
            return Self.head(use.method, "/s/" + use.link.token, use.headerLines + ["X-Request-Id: \(id)"])
                + Self.body(use.headers)
        }
    }

    /// A body of the declared length.
    private static func body(_ headers: [String: String]) -> String {
        String(repeating: "x", count: headers["content-length"].flatMap { Int($0) } ?? 0)
    }

    private static func head(_ method: String, _ target: String, _ headers: [String]) -> String {
        (["\(method) \(target) HTTP/1.1", "Host: presign.test"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }
}

/// A use of a share link, with what an upload declares.
struct ShareUse {
    let link: ShareLink
    let method: String
    /// By name in lower case.
    let headers: [String: String]

    init(_ random: inout RandomPolicy, of link: ShareLink) {
        self.link = link
        method = random.one(of: [true, true, true, true, false]) == link.isUpload ? "PUT" : "GET"
        guard method == "PUT" else {
            headers = [:]
            return
        }
        let most = link.request.naive.length ?? 10
        var headers = ["content-length": "\(random.one(of: [most, most, most + 1, 1]))"]
        headers["content-type"] = random.one(of: ["image/png", "image/png", "text/plain"])
        headers["if-none-match"] = random.one(of: [nil, "*"])
        self.headers = headers
    }

    var headerLines: [String] { headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" } }

    /// What the rules decide, for a caller with these claims.
    func request(_ who: NaivePolicy.Who?, age: Int64, remaining: Int64) -> NaivePolicy.Request {
        var naive = link.request.naive
        naive.who = who
        naive.share = .use(age: age, remaining: remaining)
        naive.type = headers["content-type"]
        naive.length = headers["content-length"].flatMap { Int64($0) }
        return naive
    }
}

extension RandomPolicy {
    /// A request for a listing.
    mutating func listing() -> DecisionRequest {
        let caller = one(of: DecisionCaller.all)
        let prefix = one(of: [[], ["a"], ["b"], ["red"], ["z"], ["a", "b"], ["red", "a"], ["b", "z", "c"]])
        return DecisionRequest(
            NaivePolicy.Request(
                who: caller.who, action: "list", path: prefix, store: one(of: ["media", "archive"]), hasChecksum: false),
            by: caller)
    }
}
