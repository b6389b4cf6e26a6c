package import DataFormats
import Requests
import Text

/// The path of a `deny` entry. Unlike a rule's path it allows `**` anywhere, and `*` within a segment.
///
/// `**` matches zero or more segments, but one or more at the end: `**/.*` matches names with a leading dot in every
/// folder and at the top; `a/**` matches everything below `a`.
package struct DenyPattern: Sendable {
    package enum Segment: Hashable, Sendable {
        /// Bytes of one segment, in which `*` matches zero or more bytes.
        case glob([UInt8])
        case rest
    }

    package let segments: [Segment]

    init(parsing text: String) throws(PathTemplate.Mistake) {
        let bytes = Array(text.utf8)
        if let refusal = ObjectKeyCheck.refusal(of: bytes) {
            throw PathTemplate.Mistake(
                "can never match, because \(refusal.description). \(refusal.recoverySuggestion)")
        }
        if bytes.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            throw PathTemplate.Mistake(
                "has a placeholder, but a denial applies to every caller; use `*` for any one segment")
        }
        let parts = bytes.split(separator: UInt8(ascii: "/"))
        segments = parts.map { $0.elementsEqual("**".utf8) ? .rest : .glob(Array($0)) }
        for part in parts where part.count > 2 && zip(part, part.dropFirst()).contains(where: { $0 == (42, 42) }) {
            throw PathTemplate.Mistake("has `**` within a segment; `**` must be a whole segment")
        }
    }

    /// Reads a pattern outside `deny`, with the same syntax.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let text = try node.string()
        do throws(PathTemplate.Mistake) {
            try self.init(parsing: text)
        } catch {
            throw node.error("the path \(text.quoted) \(error.message)")
        }
    }

    /// Whether a validated key matches. Only the last `**` is retried with more segments, so the time is at most
    /// proportional to the product of both lengths.
    package func matches(_ key: [UInt8]) -> Bool {
        let key = key.span
        var segment = 0
        var start = 0
        var retry: (segment: Int, start: Int)?
        while start < key.count {
            let end = key.position(of: UInt8(ascii: "/"), from: start)
            if segment < segments.count, case .rest = segments[segment] {
                if segment == segments.count - 1 { return true }
                segment += 1
                retry = (segment, start)
            } else if segment < segments.count, case .glob(let glob) = segments[segment],
                Self.glob(glob, matches: key.extracting(start..<end))
            {
                segment += 1
                start = end + 1
            } else if let last = retry {
                segment = last.segment
                start = key.position(of: UInt8(ascii: "/"), from: last.start) + 1
                retry = (segment, start)
            } else {
                return false
            }
        }
        return segment == segments.count
    }

    /// Whether a key below the prefix matches. It takes a `**` or one more segment of the pattern than the prefix has.
    ///
    /// - Parameter prefix: Empty, or a valid path and a slash.
    func matches(below prefix: [UInt8]) -> Bool {
        let prefix = prefix.span
        var start = 0
        for segment in segments {
            guard start < prefix.count, case .glob(let glob) = segment else { return true }
            let end = prefix.position(of: UInt8(ascii: "/"), from: start)
            guard Self.glob(glob, matches: prefix.extracting(start..<end)) else { return false }
            start = end + 1
        }
        return false
    }

    /// Matches `*` within one segment with two pointers: only the last `*` is retried with more bytes.
    package static func glob(_ glob: [UInt8], matches text: Span<UInt8>) -> Bool {
        var index = 0
        var position = 0
        var retry: (index: Int, position: Int)?
        while position < text.count {
            if index < glob.count, glob[index] == UInt8(ascii: "*") {
                index += 1
                retry = (index, position)
            } else if index < glob.count, glob[index] == text[position] {
                index += 1
                position += 1
            } else if let last = retry {
                index = last.index
                position = last.position + 1
                retry = (index, position)
            } else {
                return false
            }
        }
        return glob[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
