/// The reason why a requested path is not a valid object key, and the fix.
package enum ObjectKeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    /// Too long together with the store's prefix.
    case tooLongWithPrefix
    case leadingSlash
    case trailingSlash
    case emptySegment
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
        case .tooLong: "the path is longer than \(ObjectKeyCheck.maximumLength) bytes in UTF-8"
        case .tooLongWithPrefix:
            "the path and the store's prefix together are longer than \(ObjectKeyCheck.maximumLength) bytes in UTF-8"
        case .leadingSlash: "the path begins with a slash"
        case .trailingSlash: "the path ends with a slash"
        case .emptySegment: "the path has two slashes in a row"
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
        case .controlCharacter: "Remove the characters U+0000 to U+001F and U+007F."
        case .invalidUTF8: "Encode the path as UTF-8."
        case .backslash: "Separate segments with `/`."
        case .openPrefix: "End the prefix in a slash, such as photos/, or use an empty prefix for the whole store."
        case .dotSegment, .encodedDotSegment:
            "Remove the segment; HTTP clients resolve such segments, so the URL would address another object."
        }
    }
}
