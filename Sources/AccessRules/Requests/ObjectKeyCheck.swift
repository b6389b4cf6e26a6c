import Text

/// Checks a requested path before any rule sees it. A path is refused or taken as it is, never repaired.
///
/// S3 takes nearly any bytes as a key, but HTTP clients and proxies collapse `.`, `..`, `//` and `\` on the way, so that
/// a URL signed for one key could be used as another one's. Keys of over 1024 bytes S3 itself refuses
/// (AWS, "Naming Amazon S3 objects").
package enum ObjectKeyCheck {
    /// Bytes in UTF-8.
    package static let maximumLength = 1024

    /// Why the path is refused; nil when it may be used.
    package static func refusal(of path: [UInt8]) -> ObjectKeyRefusal? {
        guard let first = path.first, let last = path.last else { return .empty }
        if path.count > maximumLength { return .tooLong }
        if first == slash { return .leadingSlash }
        if last == slash { return .trailingSlash }
        let traits: Traits
        do throws(ObjectKeyRefusal) { traits = try Self.traits(of: path.span) } catch { return error }
        if traits.isHigh, (try? UTF8Span(validating: path.span)) == nil { return .invalidUTF8 }
        if traits.hasLeadingDot, hasDotSegment(path.span) { return .dotSegment }
        return traits.hasPercent && hasEncodedDotSegment(path) ? .encodedDotSegment : nil
    }

    private static let slash = UInt8(ascii: "/")

    /// What has to be looked at more closely.
    private struct Traits {
        /// A byte beyond ASCII.
        var isHigh = false
        /// A segment that begins with a dot.
        var hasLeadingDot = false
        var hasPercent = false
    }

    /// Looks at every byte once.
    private static func traits(of path: Span<UInt8>) throws(ObjectKeyRefusal) -> Traits {
        var traits = Traits()
        var previous = slash
        for index in path.indices {
            switch path[index] {
            case 0..<0x20, 0x7F: throw .controlCharacter
            case UInt8(ascii: "\\"): throw .backslash
            case slash where previous == slash: throw .emptySegment
            case UInt8(ascii: ".") where previous == slash: traits.hasLeadingDot = true
            case UInt8(ascii: "%"): traits.hasPercent = true
            case 0x80...: traits.isHigh = true
            default: break
            }
            previous = path[index]
        }
        return traits
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

    /// The whole path is decoded, so that an encoded slash cannot hide a segment either.
    private static func hasEncodedDotSegment(_ path: [UInt8]) -> Bool {
        let once = percentDecoded(path)
        return hasDotSegment(once.span) || hasDotSegment(percentDecoded(once).span)
    }

    /// Decodes what is a whole escape and keeps the rest: other uses of `%` are ordinary bytes of a key.
    private static func percentDecoded(_ path: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(path.count)
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "%"), index + 2 < path.count,
                let byte = UInt8(hexadecimal: path[index + 1], path[index + 2])
            {
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
