/// Why a text was refused, and where. The reason is fixed text: it never repeats what was read.
package struct SyntaxError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Bytes from the start of the text, from 0.
    package let offset: Int
    /// What is wrong, in a few words.
    package let reason: String

    package init(_ offset: Int, _ reason: StaticString) {
        self.offset = offset
        self.reason = reason.description
    }

    /// The reason and the offset.
    package var description: String { "\(reason), at byte \(offset)" }
}
