/// Why something is no key to verify with. The reason is fixed text: it never repeats key material.
package struct KeyRefusal: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong, in a few words.
    package let reason: String

    /// - Parameter reason: what is wrong, in a few words.
    package init(_ reason: StaticString) {
        self.reason = reason.description
    }

    /// The reason.
    package var description: String { reason }
}
