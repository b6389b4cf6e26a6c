import DataFormats
import HTTP1
import Text
import UploadPage

/// The routes of the service, as the metrics label them.
enum Route: Int, CaseIterable, Sendable {
    case presign
    /// `POST /presign/batch`.
    case batch
    /// A link, `/o/{path}`; see `linkedPath`.
    case link
    /// What the caller may do with an object.
    case permissions
    /// A file of the upload page.
    case page
    case healthz, readyz, metrics
    /// `/openapi.yaml`, the description of the service.
    case openAPI
    /// `OPTIONS *`: the service as a whole (RFC 9110 section 9.3.7).
    case asterisk
    /// Every other path. A single label, so that clients cannot create new metric series.
    case other

    init(_ request: HTTPRequest) {
        if request.hasPath("/presign") {
            self = .presign
        } else if request.hasPath("/presign/batch") {
            self = .batch
        } else if request.hasPath("/healthz") {
            self = .healthz
        } else if request.hasPath("/readyz") {
            self = .readyz
        } else if request.hasPath("/metrics") {
            self = .metrics
        } else {
            self.init(otherPath: request.path)
        }
    }

    private init(otherPath path: ArraySlice<UInt8>) {
        if path.span.starts(with: Self.linkStart) {
            self = .link
        } else if path.span.equals("/permissions") {
            self = .permissions
        } else if path.span.equals("*") {
            self = .asterisk
        } else if path.span.equals("/openapi.yaml") {
            self = .openAPI
        } else {
            self = UploadPage.asset(at: path) == nil ? .other : .page
        }
    }

    private static var linkStart: StaticString { "/o/" }

    /// Returns the object's path of a link, percent-encoded.
    static func linkedPath(of request: HTTPRequest) -> ArraySlice<UInt8> {
        request.path.dropFirst(linkStart.utf8CodeUnitCount)
    }

    /// Whether the route accepts a method; every route but `other` accepts OPTIONS.
    func accepts(_ method: HTTPMethod) -> Bool {
        switch self {
        case .presign, .batch: method == .post || method == .options
        case .asterisk: method == .options
        case .link, .permissions, .healthz, .readyz, .metrics, .openAPI, .page:
            method == .get || method == .head || method == .options
        case .other: false
        }
    }

    /// Returns 404 for an unknown route, 405 for a method that the route does not accept, else nil.
    func refusal(of method: HTTPMethod) -> Problem? {
        if self == .other { return .notFound }
        return accepts(method) ? nil : .methodNotAllowed(allow)
    }

    /// The value of `Allow`.
    var allow: String {
        switch self {
        case .presign, .batch: "POST, OPTIONS"
        case .asterisk: "GET, HEAD, POST, OPTIONS"
        case .link, .permissions, .healthz, .readyz, .metrics, .openAPI, .page: "GET, HEAD, OPTIONS"
        case .other: ""
        }
    }
}

extension Route {
    /// Whether the route reads a request body.
    var readsBody: Bool { self == .presign || self == .batch }

    /// Whether the route decides on access, which the audit records.
    var isDecision: Bool { self == .presign || self == .batch || self == .link || self == .permissions }

    /// Whether the route accepts a body in this format.
    func accepts(_ form: BodyForm) -> Bool { self != .batch || form == .json }
}

extension BodyLimits {
    /// Returns the maximum size of a route's body, in bytes.
    func limit(of route: Route) -> Int { route == .batch ? batch : single }

    /// Whether a batch body is larger than the limit of a single request, or is chunked, so its size is unknown.
    func isLarge(_ head: HTTPRequest, for route: Route) -> Bool {
        guard route == .batch else { return false }
        guard let length = head.headers.first(.contentLength) else { return true }
        return Int(canonicalDecimal: length.span).map { $0 > single } ?? true
    }
}
