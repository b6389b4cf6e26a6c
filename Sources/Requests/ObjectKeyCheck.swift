import Presigning
import Text

/// Validates a requested path before any rule sees it. A path is refused or used unchanged, never repaired.
///
/// S3 accepts nearly any bytes as a key, but HTTP clients and proxies normalize `.`, `..`, `//` and `\`, so a URL
/// signed for one key could address another. S3 itself refuses keys longer than 1024 bytes (AWS, "Naming Amazon S3
/// objects").
package enum ObjectKeyCheck {
    /// The reason why the path is refused; nil if it is valid.
    package static func refusal(of path: [UInt8]) -> ObjectKeyRefusal? {
        guard let first = path.first, let last = path.last else { return .empty }
        if path.count > S3Limits.key { return .tooLong }
        if first == slash { return .leadingSlash }
        if last == slash { return .trailingSlash }
        let traits: Traits
        do throws(ObjectKeyRefusal) { traits = try Self.traits(of: path.span) } catch { return error }
        if traits.hasHighByte, (try? UTF8Span(validating: path.span)) == nil { return .invalidUTF8 }
        if traits.hasLeadingDot, hasDotSegment(path.span) { return .dotSegment }
        return traits.hasPercent && hasEncodedDotSegment(path) ? .encodedDotSegment : nil
    }

    /// The reason why a prefix to list is refused; nil if it is valid: empty, or a valid path and a slash.
    package static func refusal(ofPrefix prefix: [UInt8]) -> ObjectKeyRefusal? {
        if prefix.isEmpty { return nil }
        if prefix.count > S3Limits.key { return .tooLong }
        guard prefix.last == slash else { return .openPrefix }
        return prefix.count == 1 ? .leadingSlash : refusal(of: prefix.dropLast())
    }

    private static let slash = UInt8(ascii: "/")

    /// What the first pass found. Each trait requires a closer check.
    private struct Traits {
        /// A byte beyond ASCII.
        var hasHighByte = false
        /// A segment that begins with a dot.
        var hasLeadingDot = false
        var hasPercent = false
    }

    /// Scans the path once.
    private static func traits(of path: Span<UInt8>) throws(ObjectKeyRefusal) -> Traits {
        var traits = Traits()
        var previous = slash
        for index in path.indices {
            switch path[index] {
            case let byte where ASCII.isAlphanumeric(byte): break
            case 0..<0x20, 0x7F: throw .controlCharacter
            case UInt8(ascii: "\\"): throw .backslash
            case slash where previous == slash: throw hasScheme(path, before: index - 1) ? .url : .emptySegment
            case UInt8(ascii: ".") where previous == slash: traits.hasLeadingDot = true
            case UInt8(ascii: "%"): traits.hasPercent = true
            case 0x80...: traits.hasHighByte = true
            default: break
            }
            previous = path[index]
        }
        return traits
    }

    /// Whether everything before the two slashes at `index` is the scheme of a URL, such as `s3:`.
    private static func hasScheme(_ path: Span<UInt8>, before index: Int) -> Bool {
        guard index > 1, path[index - 1] == UInt8(ascii: ":") else { return false }
        for position in 0..<(index - 1) where !ASCII.isAlphanumeric(path[position]) { return false }
        return true
    }

    private static func hasDotSegment(_ path: Span<UInt8>) -> Bool {
        var length = 0
        var dots = 0
        for index in path.indices {
            if path[index] == slash {
                if 1...2 ~= length && dots == length { return true }
                (length, dots) = (0, 0)
            } else {
                length += 1
                dots += path[index] == UInt8(ascii: ".") ? 1 : 0
            }
        }
        return 1...2 ~= length && dots == length
    }

    /// Decodes the whole path, so that an encoded slash cannot hide a dot segment. Decodes twice, because a proxy may
    /// decode once more.
    private static func hasEncodedDotSegment(_ path: [UInt8]) -> Bool {
        let decoded = percentDecoded(path[...])
        return hasDotSegment(decoded.span) || hasDotSegment(percentDecoded(decoded[...]).span)
    }

    /// Decodes complete escapes. Any other `%` is an ordinary byte of the key.
    private static func percentDecoded(_ path: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            if let byte = path.percentEscape(at: index) {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(path[index])
                index += 1
            }
        }
        return decoded
    }
}

/// The reason why a requested path is not a valid object key, and the fix.
package enum ObjectKeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    /// Too long together with the store's prefix.
    case tooLongWithPrefix
    case leadingSlash
    case trailingSlash
    case emptySegment
    /// A URL such as `s3://bucket/key`.
    case url
    case controlCharacter
    case invalidUTF8
    case backslash
    case dotSegment
    case encodedDotSegment
    /// A prefix to list that does not end in a slash.
    case openPrefix

    /// What is wrong with the path.
    package var description: String {
        switch self {
        case .empty: "the path is empty"
        case .tooLong: "the path is longer than \(S3Limits.key) bytes in UTF-8"
        case .tooLongWithPrefix:
            "the path and the store's prefix together are longer than \(S3Limits.key) bytes in UTF-8"
        case .leadingSlash: "the path begins with a slash"
        case .trailingSlash: "the path ends with a slash"
        case .emptySegment: "the path has two slashes in a row"
        case .url: "the path is a URL, not the key of an object"
        case .controlCharacter: "the path contains a control character"
        case .invalidUTF8: "the path is not valid UTF-8"
        case .backslash: "the path contains a backslash"
        case .dotSegment: "the path contains a segment \".\" or \"..\""
        case .encodedDotSegment: "the path contains a segment that percent-decodes to \".\" or \"..\""
        case .openPrefix: "the prefix does not end in a slash"
        }
    }

    /// The fix, as a sentence.
    package var recoverySuggestion: String {
        switch self {
        case .empty: "Name the object, such as public/photo.jpg."
        case .tooLong, .tooLongWithPrefix: "Use a shorter path."
        case .leadingSlash: "Remove the leading slash."
        case .trailingSlash: "Name an object, not a folder: remove the trailing slash."
        case .emptySegment: "Use one slash between segments."
        case .url: "Send only the part after the bucket's name, such as photos/cat.jpg."
        case .controlCharacter: "Remove the characters U+0000 to U+001F and U+007F."
        case .invalidUTF8: "Encode the path as UTF-8."
        case .backslash: "Separate segments with `/`."
        case .openPrefix: "End the prefix in a slash, such as photos/, or use an empty prefix for the whole store."
        case .dotSegment, .encodedDotSegment:
            "Remove the segment; HTTP clients resolve such segments, so the URL would address another object."
        }
    }
}
