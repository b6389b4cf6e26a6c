import Text

/// A response header that a reader may ask the storage to send in place of the object's own. The raw value is the
/// member of the request.
package enum ResponseOverride: String, Sendable, CaseIterable {
    case contentType = "responseContentType"
    case contentDisposition = "responseContentDisposition"
    case contentLanguage = "responseContentLanguage"
    case contentEncoding = "responseContentEncoding"
    case cacheControl = "responseCacheControl"
    case expires = "responseExpires"

    /// Whether it changes what a browser takes the bytes for.
    var relabels: Bool { self == .contentType || self == .contentEncoding }
}

/// Which response overrides a rule admits.
///
/// An override of the content type alone would let any reader turn an uploaded image into a page of the bucket's origin.
package enum OverridePolicy: String, Sendable, CaseIterable {
    /// All of them.
    case any
    /// Those with which a browser saves the object instead of showing it; the default.
    case attachment
    /// None of them.
    case none

    /// The overrides of a request that are not admitted.
    ///
    /// - Parameter overrides: the values by member, UTF-8.
    package func refused(of overrides: [ResponseOverride: [UInt8]]) -> [ResponseOverride] {
        switch self {
        case .any: return []
        case .none: return ResponseOverride.allCases.filter { overrides[$0] != nil }
        case .attachment:
            let disposition = overrides[.contentDisposition]
            if let disposition, Self.isAttachment(disposition) { return [] }
            return ResponseOverride.allCases.filter {
                overrides[$0] != nil && ($0.relabels || $0 == .contentDisposition)
            }
        }
    }

    /// Whether this policy admits whatever the other admits.
    func admitsAll(of other: OverridePolicy) -> Bool { width >= other.width }

    private var width: Int {
        switch self {
        case .any: 2
        case .attachment: 1
        case .none: 0
        }
    }

    /// Whether the disposition type is `attachment` (RFC 6266 §4.1). Browsers show the object inline when anything but a
    /// semicolon follows the type, as in `attachment inline`.
    private static func isAttachment(_ disposition: [UInt8]) -> Bool {
        guard disposition.span.startsIgnoringCase(with: "attachment") else { return false }
        let rest = disposition.dropFirst("attachment".utf8.count).drop { $0 == UInt8(ascii: " ") }
        return rest.isEmpty || rest.first == UInt8(ascii: ";")
    }
}
