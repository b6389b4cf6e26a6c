/// The reason why a key is not accepted for verification. A literal, so it never contains key material.
package struct KeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line, without a capital letter or a full stop.
    package let reason: String

    package init(_ reason: StaticString) {
        self.reason = reason.description
    }

    package var description: String { reason }
}
