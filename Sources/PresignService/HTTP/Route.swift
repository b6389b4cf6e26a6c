import HTTPServing

/// The paths there are.
enum Route {
    case presign
    case healthz
    case readyz

    init?(_ path: ArraySlice<UInt8>) {
        if path.elementsEqual("/presign".utf8) {
            self = .presign
        } else if path.elementsEqual("/healthz".utf8) {
            self = .healthz
        } else if path.elementsEqual("/readyz".utf8) {
            self = .readyz
        } else {
            return nil
        }
    }

    var methods: [HTTPMethod] {
        switch self {
        case .presign: [.post]
        case .healthz, .readyz: [.get, .head]
        }
    }

    /// The value of `Allow`.
    var allow: String {
        switch self {
        case .presign: "POST, OPTIONS"
        case .healthz, .readyz: "GET, HEAD, OPTIONS"
        }
    }
}
