/// A signed HTML form that uploads one file.
///
/// While the form is valid, anyone who has its fields can use it. Descriptions and dumps therefore leave them out.
public struct PresignedForm: Sendable {
    /// A field of the form.
    public struct Field: Sendable, Hashable {
        /// The name, for example `Content-Type`. Servers ignore its case.
        public let name: String
        /// The value that the policy requires.
        public let value: String
    }

    /// The method and URL of the form, and its lifetime. The URL contains no signature.
    public let action: PresignedURL
    /// The fields that must precede the file, whose own field is named `file`.
    public let fields: [Field]
}
