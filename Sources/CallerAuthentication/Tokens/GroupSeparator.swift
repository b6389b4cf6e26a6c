import DataFormats
import Text

/// The character between the groups in one text, as in the claim `scope` or a header.
enum GroupSeparator {
    /// Further groups of a caller are ignored.
    static let maximumGroups = 1000

    static func read(_ node: ConfigurationNode) throws(ConfigurationError) -> UInt8 {
        let text = Array(try node.string().utf8)
        guard text.count == 1, ASCII.isPrintable(text[0]), !ASCII.isAlphanumeric(text[0]) else {
            throw node.error("must be one character other than letters and digits, such as `,`, `;` or \" \"")
        }
        return text[0]
    }
}
