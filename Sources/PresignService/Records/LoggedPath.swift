import Requests
import Text

extension Route {
    /// Returns the path that logs show: without the token of a share link, which is a credential. A path of no route can
    /// contain a token, an API key or a share link's token too, as behind a wrong prefix, so it is shown without its
    /// long segments; likewise a path that clients and proxies would resolve to another one.
    func logged(_ path: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .share: Array(path.prefix(Self.shareStart.utf8CodeUnitCount))
        case .other, .lfsLocks: path.withoutLongSegments
        case .link, .lfs: path.hasRelativeSegment ? path.withoutLongSegments : Array(path)
        case .presign, .batch, .permissions, .page, .healthz, .readyz, .metrics, .openAPI, .asterisk: Array(path)
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

extension ArraySlice<UInt8> {
    /// The length of a segment that is too short for a credential, in bytes. The shortest API key has 49 bytes, the
    /// shortest token of a share link about 60.
    private static var shownLength: Int { 20 }

    /// The path with `*` in place of each segment that is long enough for a credential, in whatever encoding.
    fileprivate var withoutLongSegments: [UInt8] {
        let segments = split(separator: ASCII.slash, omittingEmptySubsequences: false)
        return Array(
            segments.map { $0.count > Self.shownLength ? [ASCII.asterisk] : $0 }.joined(separator: [ASCII.slash]))
    }

    /// Whether a segment after the first slash is empty, `.` or `..`, also percent-encoded.
    fileprivate var hasRelativeSegment: Bool {
        split(separator: ASCII.slash, omittingEmptySubsequences: false).dropFirst().contains(where: \.isRelative)
    }

    private var isRelative: Bool {
        var rest = self
        while let byte = rest.popFirst() {
            if byte == ASCII.dot { continue }
            guard byte == ASCII.percent, ASCII.lowercased(rest.prefix(2)).elementsEqual("2e".utf8) else { return false }
            rest = rest.dropFirst(2)
        }
        return true
    }
}
