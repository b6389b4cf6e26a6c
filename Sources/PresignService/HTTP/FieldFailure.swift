/// One member that cannot be accepted: where it stands and what is wrong.
package struct FieldFailure: Error, Sendable, Equatable {
    /// The member's name; empty for the whole body.
    package let field: String
    /// What is wrong and the mend; never a secret.
    package let detail: String

    /// A failure of the named member.
    package init(_ field: String, _ detail: String) {
        self.field = field
        self.detail = detail
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field, when one is to blame, and what is wrong.
    package var description: String { field.isEmpty ? detail : "\(field): \(detail)" }
}
