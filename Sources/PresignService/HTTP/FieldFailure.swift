/// An invalid field of a request: its name and what is wrong.
package struct FieldFailure: Error, Sendable, Equatable {
    /// The field's name; empty for the whole body.
    package let field: String
    /// The name within the field, if the field has named entries and one is invalid.
    package let entry: String?
    /// What is wrong and how to fix it; never a secret.
    package let detail: String

    /// A failure of the named field.
    package init(_ field: String, entry: String? = nil, _ detail: String) {
        self.field = field
        self.entry = entry
        self.detail = detail
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field's name, if any, and what is wrong.
    package var description: String {
        field.isEmpty ? detail : "\(field)\(entry.map { ".\($0)" } ?? ""): \(detail)"
    }
}
