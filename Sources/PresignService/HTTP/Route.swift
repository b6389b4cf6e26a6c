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

    /// - Parameter path: the path as received, without the query. It is compared byte by byte.
    init(path: ArraySlice<UInt8>) {
        let bytes = path.span
        for (known, route) in Self.paths where bytes.equals(known) {
            self = route
            return
        }
        if bytes.starts(with: Self.linkStart) {
            self = .link
        } else {
            self = UploadPage.asset(at: path) == nil ? .other : .page
        }
    }

    private static let paths: [(StaticString, Route)] = [
        ("/presign", .presign), ("/presign/batch", .batch), ("/healthz", .healthz), ("/readyz", .readyz),
        ("/metrics", .metrics), ("/permissions", .permissions), ("/openapi.yaml", .openAPI), ("*", .asterisk),
    ]
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
        return accepts(method) ? nil : .methodNotAllowed(allow, recovery: methodHint)
    }

    /// What to send instead of a method that the route does not accept.
    private var methodHint: String? {
        switch self {
        case .presign: "Send the fields, such as path and method, with POST. Send a file to the signed URL."
        case .link: "Links are for downloads. Send POST /presign to get a URL for another method."
        default: nil
        }
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
