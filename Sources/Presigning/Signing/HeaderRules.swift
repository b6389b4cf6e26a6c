import Text

/// The rules for signed headers: allowed names and the canonical form of values.
enum HeaderRules {
    private static let signable: Set<String> = [
        "cache-control", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-md5", "content-type", "expires", "if-match", "if-modified-since", "if-none-match",
        "if-unmodified-since", "range",
    ]

    /// The headers that would contradict the signature's query parameters.
    private static let reserved: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders",
        "x-amz-security-token", "x-amz-signature", "x-amz-content-sha256",
    ]

    static func lowercased(_ name: String) -> String {
        name.utf8.contains(where: ASCII.isUppercase)
            ? String(decoding: ASCII.lowercased(name.utf8), as: UTF8.self) : name
    }

    /// Checks a lower-case name.
    static func validate(name: String) throws(StorageError) {
        let field = "headers.\(name)"
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else {
            throw .invalid(
                "headers", "\(name.debugDescription) is not a valid header name.", "Use letters, digits and hyphens.")
        }
        if name.utf8.starts(with: "x-amz-".utf8) {
            if reserved.contains(name) { throw .invalid(field, "It is reserved for the signature.", "Leave it out.") }
        } else if !signable.contains(name) {
            throw name == "host"
                ? .invalid(field, "It is reserved for the signature.", "Leave it out.")
                : .invalid(
                    field, "It cannot be signed: S3 ignores it, or proxies may change it.",
                    "Use an x-amz-* header or one of \(signable.sorted().joined(separator: ", ")).")
        }
    }

    /// Returns the value in canonical form.
    static func canonical(_ value: String, of name: String) throws(StorageError) -> String {
        guard value.utf8.allSatisfy({ ASCII.isBlank($0) || ASCII.isVisible($0) }) else {
            throw .invalid(
                name == "content-type" ? "contentType" : "headers.\(name)",
                "Its value contains a control character or a character that is not ASCII.",
                "Use printable ASCII; encode other text, for example in base64.")
        }
        guard value.utf8.contains(where: ASCII.isBlank) else { return value }
        return String(decoding: Array(value.utf8).collapsingBlanks(), as: UTF8.self)
    }
}
