/// An invalid field of a request: its name and what is wrong.
package struct FieldFailure: Error, Sendable, Equatable {
    /// The field's name; empty for the whole body.
    package let field: String
    /// What is wrong and how to fix it; never a secret.
    package let detail: String

    /// A failure of the named field.
    package init(_ field: String, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field's name, if any, and what is wrong.
    package var description: String { field.isEmpty ? detail : "\(field): \(detail)" }
}
