import HTTPServing
import UploadPage

/// The paths there are.
enum Route {
    case presign
    /// Many requests at once.
    case batch
    /// A plain link; its object's path, percent-encoded.
    case link(ArraySlice<UInt8>)
    case healthz
    case readyz
    case metrics
    /// `*`: the service in general (RFC 9110 9.3.7).
    case server
    /// A file of the upload page.
    case page(UploadPage.Asset)

    init?(_ request: HTTPRequest) {
        if request.hasPath("/presign") {
            self = .presign
        } else {
            self.init(other: request.path)
        }
    }

    private init?(other path: ArraySlice<UInt8>) {
        if path.starts(with: "/o/".utf8) {
            self = .link(path.dropFirst("/o/".utf8.count))
        } else if path.elementsEqual("/presign/batch".utf8) {
            self = .batch
        } else if path.elementsEqual("/healthz".utf8) {
            self = .healthz
        } else if path.elementsEqual("/readyz".utf8) {
            self = .readyz
        } else if path.elementsEqual("/metrics".utf8) {
            self = .metrics
        } else if path.elementsEqual("*".utf8) {
            self = .server
        } else if let asset = UploadPage.asset(at: path) {
            self = .page(asset)
        } else {
            return nil
        }
    }

    /// Whether the route takes a method; every one takes OPTIONS.
    func takes(_ method: HTTPMethod) -> Bool {
        switch self {
        case .presign, .batch: method == .post || method == .options
        case .server: method == .options
        case .link, .healthz, .readyz, .metrics, .page: method == .get || method == .head || method == .options
        }
    }

    /// The value of `Allow`.
    var allow: String {
        switch self {
        case .presign, .batch: "POST, OPTIONS"
        case .server: "GET, HEAD, POST, OPTIONS"
        case .link, .healthz, .readyz, .metrics, .page: "GET, HEAD, OPTIONS"
        }
    }
}

extension Route {
    /// Whether the route reads what a request brings.
    var takesBody: Bool {
        switch self {
        case .presign, .batch: true
        case .link, .healthz, .readyz, .metrics, .server, .page: false
        }
    }

    /// Whether a body may have this form.
    func takes(_ form: BodyForm) -> Bool {
        if case .batch = self { form == .json } else { true }
    }

    /// The refusal of a body of another form.
    var unsupportedMediaType: Problem {
        if case .batch = self { .unsupportedBatchType } else { .unsupportedMediaType }
    }
}

extension BodyLimits {
    /// The most bytes of a route's body.
    func limit(of route: Route) -> Int {
        if case .batch = route { batch } else { single }
    }

    /// Whether a body will be larger than that of a single request, or may be: of chunks the sum is not known before.
    func isLarge(_ head: HTTPRequest, for route: Route) -> Bool {
        guard case .batch = route else { return false }
        guard let length = head.headers.first(.contentLength) else { return true }
        return Int64(canonicalDecimal: length.span).map { $0 > single } ?? true
    }
}
