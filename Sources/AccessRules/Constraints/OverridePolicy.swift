package import Requests
import Text

/// The response overrides that a rule allows.
///
/// Restricted by default: by overriding the content type, any reader could turn an uploaded file into an HTML page on
/// the bucket's origin.
package enum OverridePolicy: String, Sendable, CaseIterable {
    /// All overrides.
    case any
    /// Overrides with which a browser downloads the object instead of displaying it. The default.
    case attachment
    /// No overrides.
    case none

    /// The requested overrides that are not allowed.
    ///
    /// - Parameter overrides: The requested values, UTF-8.
    package func refused(of overrides: [(override: ResponseOverride, value: [UInt8])]) -> [ResponseOverride] {
        if overrides.isEmpty { return [] }
        let requested = ResponseOverride.allCases.filter { wanted in overrides.contains { $0.override == wanted } }
        switch self {
        case .any: return []
        case .none: return requested
        case .attachment:
            let disposition = overrides.first { $0.override == .contentDisposition }
            if let disposition, Self.isAttachment(disposition.value) { return [] }
            return requested.filter { $0.relabels || $0 == .contentDisposition }
        }
    }

    /// Whether this policy allows every override that the other allows.
    func admitsAll(of other: OverridePolicy) -> Bool { self == .any || other == .none || self == other }

    /// Whether the disposition type is `attachment` (RFC 6266 §4.1). Browsers display the object inline if anything but
    /// a semicolon follows the type, as in `attachment inline`.
    private static func isAttachment(_ disposition: [UInt8]) -> Bool {
        guard disposition.span.startsIgnoringCase(with: "attachment") else { return false }
        let rest = disposition.dropFirst("attachment".utf8.count).drop { $0 == UInt8(ascii: " ") }
        return rest.isEmpty || rest.first == UInt8(ascii: ";")
    }
}

extension ResponseOverride {
    /// Whether it changes how a browser interprets the bytes.
    fileprivate var relabels: Bool { self == .contentType || self == .contentEncoding }
}
