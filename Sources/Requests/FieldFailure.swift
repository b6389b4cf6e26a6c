package import Presigning

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

    /// A failure of an upload setting.
    package init(_ flaw: InvalidUploadSetting) { self.init(flaw.name.rawValue, entry: flaw.entry, flaw.reason) }

    /// - Parameter entry: shortened, because the client chose it.
    package init(_ field: String, entry: [UInt8]?, _ detail: String) {
        self.init(field, entry: entry.map { String(decoding: $0.prefix(128), as: UTF8.self) }, detail)
    }
}

extension FieldFailure: CustomStringConvertible {
    /// The field's name, if any, and what is wrong.
    package var description: String {
        field.isEmpty ? detail : "\(field)\(entry.map { ".\($0)" } ?? ""): \(detail)"
    }
}

/// The invalid fields of a request.
package struct InvalidRequest: Error, Sendable, Equatable {
    /// Every invalid field, at least one.
    package let errors: [FieldFailure]
    /// How to fix them, as a sentence, unless the errors say it.
    package let recoverySuggestion: String?

    package init(_ errors: [FieldFailure], recovery: String? = nil) {
        (self.errors, recoverySuggestion) = (errors, recovery)
    }

    init(_ field: String, _ detail: String) { self.init([FieldFailure(field, detail)]) }

    /// The request's path, or the prefix to list, is not a valid object key.
    package init(_ refusal: ObjectKeyRefusal, isPrefix: Bool = false) {
        self.init(
            [FieldFailure(isPrefix ? "prefix" : "path", refusal.description)], recovery: refusal.recoverySuggestion)
    }

    /// All errors in one line.
    package var detail: String { errors.map(\.description).joined(separator: "; ") }
}
