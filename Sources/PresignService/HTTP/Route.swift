import DataFormats
import HTTP1
import Text
import UploadPage

/// The paths there are, as metrics tell them apart.
enum Route: Int, CaseIterable, Sendable {
    case presign
    /// Many requests at once.
    case batch
    /// A plain link; see `linkedPath`.
    case link
    /// A file of the upload page.
    case page
    case healthz, readyz, metrics
    /// `*`: the service in general (RFC 9110 9.3.7).
    case asterisk
    /// Anything else; one for all, so that nobody can make new series of metrics.
    case other

    init(_ request: borrowing HTTPRequest) {
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
            self.init(rare: request.path)
        }
    }

    private init(rare path: ArraySlice<UInt8>) {
        if path.span.starts(with: Self.linkStart) {
            self = .link
        } else if path.span.equals("*") {
            self = .asterisk
        } else {
            self = UploadPage.asset(at: path) == nil ? .other : .page
        }
    }

    private static var linkStart: StaticString { "/o/" }

    /// The path of a link's object, percent-encoded.
    static func linkedPath(of request: borrowing HTTPRequest) -> ArraySlice<UInt8> {
        request.path.dropFirst(linkStart.utf8CodeUnitCount)
    }

    /// Whether the route takes a method; every one takes OPTIONS.
    func takes(_ method: HTTPMethod) -> Bool {
        switch self {
        case .presign, .batch: method == .post || method == .options
        case .asterisk: method == .options
        case .link, .healthz, .readyz, .metrics, .page: method == .get || method == .head || method == .options
        case .other: false
        }
    }

    /// 404 where there is no route, 405 where it does not take the method; nil for a request that it takes.
    func refusal(of method: HTTPMethod) -> Problem? {
        if self == .other { return .notFound }
        return takes(method) ? nil : .methodNotAllowed(allow)
    }

    /// The value of `Allow`.
    var allow: String {
        switch self {
        case .presign, .batch: "POST, OPTIONS"
        case .asterisk: "GET, HEAD, POST, OPTIONS"
        case .link, .healthz, .readyz, .metrics, .page: "GET, HEAD, OPTIONS"
        case .other: ""
        }
    }
}

extension Route {
    /// Whether the route reads what a request brings.
    var takesBody: Bool { self == .presign || self == .batch }

    /// Whether what comes of a request is a decision, which the audit tells.
    var isDecision: Bool { self == .presign || self == .batch || self == .link }

    /// Whether a body may have this form.
    func takes(_ form: BodyForm) -> Bool { self != .batch || form == .json }
}

extension BodyLimits {
    /// The most bytes of a route's body.
    func limit(of route: Route) -> Int { route == .batch ? batch : single }

    /// Whether a body will be larger than that of a single request, or may be: of chunks the sum is not known before.
    func isLarge(_ head: borrowing HTTPRequest, for route: Route) -> Bool {
        guard route == .batch else { return false }
        guard let length = head.headers.first(.contentLength) else { return true }
        return Int(canonicalDecimal: length.span).map { $0 > single } ?? true
    }
}
