import Text

/// The value of the Date field, reformatted only when the second changes.
package struct DateText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var seconds: Int64 = -1

    /// Creates an empty text.
    package init() {}

    /// Updates the text to a time.
    ///
    /// - Parameter seconds: seconds since 1970-01-01T00:00:00Z.
    package mutating func update(to seconds: Int64) {
        guard seconds != self.seconds else { return }
        self.seconds = seconds
        bytes = HTTPDate.text(secondsSince1970: seconds)
    }
}
