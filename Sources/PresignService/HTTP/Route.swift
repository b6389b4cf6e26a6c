import HTTPServing
import UploadPage

/// The paths there are.
enum Route {
    case presign
    /// A plain link; its object's path, percent-encoded.
    case link(ArraySlice<UInt8>)
    case healthz
    case readyz
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
        } else if path.elementsEqual("/healthz".utf8) {
            self = .healthz
        } else if path.elementsEqual("/readyz".utf8) {
            self = .readyz
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
        case .presign: method == .post || method == .options
        case .server: method == .options
        case .link, .healthz, .readyz, .page: method == .get || method == .head || method == .options
        }
    }

    /// The value of `Allow`.
    var allow: String {
        switch self {
        case .presign: "POST, OPTIONS"
        case .server: "GET, HEAD, POST, OPTIONS"
        case .link, .healthz, .readyz, .page: "GET, HEAD, OPTIONS"
        }
    }
}
