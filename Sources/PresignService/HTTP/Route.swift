import DataFormats
import HTTP1
import Requests
import Text
import UploadPage

/// The routes of the service, as the metrics label them.
enum Route: Int, CaseIterable, Sendable {
    case presign
    /// `POST /presign/batch`.
    case batch
    /// A link, `/o/{path}`; see `linkedPath`.
    case link
    /// A use of a share link, `/s/{token}`; see `shareToken`.
    case share
    /// `POST /lfs/{repository}/objects/batch`, of the Git LFS API; see `lfsRepository`.
    case lfs
    /// The locks of the Git LFS API. The response is 501, after which clients work without locks.
    case lfsLocks
    /// `POST /iceberg/{store}/sign`, the remote signing of Apache Iceberg; see `remoteStore`.
    case iceberg
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
        } else if bytes.starts(with: Self.shareStart) {
            self = .share
        } else if bytes.starts(with: Self.lfsStart) {
            self = Self.lfsRoute(path.dropFirst(Self.lfsStart.utf8CodeUnitCount))
        } else if Self.remoteStore(of: path) != nil {
            self = .iceberg
        } else {
            self = UploadPage.asset(at: path) == nil ? .other : .page
        }
    }

    private static let paths: [(StaticString, Route)] = [
        ("/presign", .presign), ("/presign/batch", .batch), ("/healthz", .healthz), ("/readyz", .readyz),
        ("/metrics", .metrics), ("/permissions", .permissions), ("/openapi.yaml", .openAPI), ("*", .asterisk),
    ]
    private static var linkStart: StaticString { "/o/" }
    static var shareStart: StaticString { "/s/" }
    private static var lfsStart: StaticString { "/lfs/" }
    private static var lfsBatchEnd: StaticString { "/objects/batch" }

    /// - Parameter path: what follows `/lfs/`.
    private static func lfsRoute(_ path: ArraySlice<UInt8>) -> Route {
        let end = path.suffix(lfsBatchEnd.utf8CodeUnitCount)
        if path.count > end.count, end.span.equals(lfsBatchEnd) { return .lfs }
        let segments = path.split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst().suffix(3)
        return segments.contains { $0.span.equals("locks") } ? .lfsLocks : .other
    }

    /// Returns the repository's path of a Git LFS batch, percent-encoded.
    static func lfsRepository(of request: HTTPRequest) -> [UInt8] {
        Array(request.path.dropFirst(lfsStart.utf8CodeUnitCount).dropLast(lfsBatchEnd.utf8CodeUnitCount))
    }

    /// Returns the store's name in the path of a request to sign; nil for other paths.
    static func remoteStore(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let (start, end): (StaticString, StaticString) = ("/iceberg/", "/sign")
        let name = path.dropFirst(start.utf8CodeUnitCount).dropLast(end.utf8CodeUnitCount)
        let rest = path[name.endIndex...]
        guard path.span.starts(with: start), rest.span.equals(end), !name.isEmpty else { return nil }
        return name.contains(ASCII.slash) ? nil : name
    }

    /// Returns the object's path of a link, percent-encoded.
    static func linkedPath(of request: HTTPRequest) -> ArraySlice<UInt8> {
        request.path.dropFirst(linkStart.utf8CodeUnitCount)
    }

    /// Returns the token of a share link.
    static func shareToken(of request: HTTPRequest) -> ArraySlice<UInt8> {
        request.path.dropFirst(shareStart.utf8CodeUnitCount)
    }

    /// The methods that the route accepts; for `*` see `allow`.
    var methods: [HTTPMethod] { Self.methods[rawValue] }

    private static let methods: [[HTTPMethod]] = allCases.map { route in
        switch route {
        case .presign, .batch, .lfs, .iceberg: [.post, .options]
        case .lfsLocks: [.get, .post, .options]
        case .link, .share: [.get, .head, .put, .options]
        case .asterisk: [.options]
        case .permissions, .healthz, .readyz, .metrics, .openAPI, .page: [.get, .head, .options]
        case .other: []
        }
    }

    /// The methods of the whole service, in the order of `Allow`.
    private static let serviceMethods: [HTTPMethod] = [.get, .head, .post, .put, .delete, .options].filter { method in
        methods.contains { $0.contains(method) }
    }

    /// Returns 404 for an unknown route, 405 for a method that the route does not accept, else nil.
    func refusal(of method: HTTPMethod) -> Problem? {
        if self == .other { return .notFound }
        return methods.contains(method) ? nil : .methodNotAllowed(allow, recovery: methodHint)
    }

    /// What to send instead of a method that the route does not accept.
    private var methodHint: String? {
        switch self {
        case .presign: "Send the fields, such as path and method, with POST. Send a file to the signed URL."
        case .link: "Send POST /presign to get a URL for another method."
        default: nil
        }
    }

    /// The value of `Allow`; for `*`, the methods of the whole service (RFC 9110 section 9.3.7).
    var allow: String {
        (self == .asterisk ? Self.serviceMethods : methods).map(\.description).joined(separator: ", ")
    }
}

extension Route {
    /// Whether the route reads a request body.
    var readsBody: Bool { self == .presign || hasLargeBody }

    /// Whether the password of Basic authentication may be an API key or a token.
    var acceptsBasic: Bool { self == .lfs || self == .link }

    /// Whether the body has many requests.
    var isBatch: Bool { self == .batch || self == .lfs }

    /// Whether the body can be as large as that of a batch: to sign DeleteObjects, a client sends its body.
    fileprivate var hasLargeBody: Bool { isBatch || self == .iceberg }

    /// Whether the route decides on access, which the audit records.
    var isDecision: Bool { readsBody || self == .link || self == .share || self == .permissions }

    /// Whether the route accepts a body in this format.
    func accepts(_ form: BodyForm) -> Bool {
        switch form {
        case .json: true
        case .form: self == .presign
        case .lfs: self == .lfs
        }
    }
}

extension BodyLimits {
    /// Returns the maximum size of a route's body, in bytes.
    func limit(of route: Route) -> Int {
        // Enough for the DeleteObjects of S3. It is decided on the event loop.
        route == .iceberg ? min(batch, 1 << 20) : route.isBatch ? batch : single
    }

    /// Whether a body is larger than the limit of a single request, or is chunked, so its size is unknown.
    func isLarge(_ head: HTTPRequest, for route: Route) -> Bool {
        guard route.hasLargeBody else { return false }
        guard let length = head.headers.first(.contentLength) else { return true }
        return Int(canonicalDecimal: length.span).map { $0 > single } ?? true
    }
}
