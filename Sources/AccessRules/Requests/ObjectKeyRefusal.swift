/// Why a requested path cannot be an object's key here: what is wrong and how to mend it.
package enum ObjectKeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    /// Too long only with the store's prefix.
    case tooLongWithPrefix
    case leadingSlash
    case trailingSlash
    case emptySegment
    case controlCharacter
    case invalidUTF8
    case backslash
    case dotSegment
    case encodedDotSegment

    /// What is wrong.
    package var description: String {
        switch self {
        case .empty: "the path is empty"
        case .tooLong: "the path has more than \(ObjectKeyCheck.maximumLength) bytes in UTF-8"
        case .tooLongWithPrefix:
            "with the store's prefix the key has more than \(ObjectKeyCheck.maximumLength) bytes in UTF-8"
        case .leadingSlash: "the path begins with a slash"
        case .trailingSlash: "the path ends with a slash"
        case .emptySegment: "the path has two slashes in a row"
        case .controlCharacter: "the path has a control character"
        case .invalidUTF8: "the path is not valid UTF-8"
        case .backslash: "the path has a backslash"
        case .dotSegment: "the path has a segment \".\" or \"..\""
        case .encodedDotSegment: "the path has a segment that percent-decodes to \".\" or \"..\""
        }
    }

    /// How to mend it.
    package var recoverySuggestion: String {
        switch self {
        case .empty: "Name the object, such as public/photo.jpg."
        case .tooLong, .tooLongWithPrefix: "Use a shorter path."
        case .leadingSlash: "Leave the first slash out."
        case .trailingSlash: "Name an object, not a folder."
        case .emptySegment: "Use one slash between segments."
        case .controlCharacter: "Remove the characters U+0000 to U+001F and U+007F."
        case .invalidUTF8: "Encode the path as UTF-8."
        case .backslash: "Separate segments with a slash."
        case .dotSegment, .encodedDotSegment: "Write the path out; HTTP clients collapse such segments."
        }
    }
}
