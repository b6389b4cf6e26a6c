import Text

/// The value of the Date field, formatted again only when the second changes.
package struct DateText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var seconds: Int64 = -1

    /// No text yet.
    package init() {}

    /// Brings the text up to date.
    ///
    /// - Parameter seconds: since 1970
    package mutating func update(to seconds: Int64) {
        guard seconds != self.seconds else { return }
        self.seconds = seconds
        bytes = HTTPDate.text(secondsSince1970: seconds)
    }
}
