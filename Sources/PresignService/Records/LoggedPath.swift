import Requests
import Telemetry

extension Route {
    /// Returns the path that logs show: without the token of a share link, which is a credential. A path of no route can
    /// contain a token, an API key or a share link's token too, as behind a wrong prefix, so it is shown without its
    /// long segments; likewise a path that clients and proxies would resolve to another one.
    func logged(_ path: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .share: Array(path.prefix(Self.shareStart.utf8CodeUnitCount))
        case .other, .lfsLocks: path.withoutLongSegments
        case .link, .lfs: path.hasRelativeSegment ? path.withoutLongSegments : Array(path)
        case .presign, .batch, .iceberg, .permissions, .page, .healthz, .readyz, .metrics, .openAPI, .asterisk:
            Array(path)
        }
    }
}

extension RequestRecord {
    /// Hides the long segments of a refused key that no object can have, such as `../s/TOKEN`.
    mutating func hideLongSegments() {
        guard let key, ObjectKeyCheck.refusal(of: key) != nil, ObjectKeyCheck.refusal(ofPrefix: key) != nil else {
            return
        }
        request.path = key[...].withoutLongSegments
    }
}
