import Text

/// Which headers may be signed, and what the canonical form of a value is.
enum HeaderRules {
    private static let signable: Set<String> = [
        "cache-control", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-md5", "content-type", "expires", "if-match", "if-modified-since", "if-none-match",
        "if-unmodified-since", "range",
    ]

    /// What the signature itself sets; as headers they would contradict the query.
    private static let reserved: Set<String> = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders",
        "x-amz-security-token", "x-amz-signature", "x-amz-content-sha256",
    ]

    static func lowercased(_ name: String) -> String {
        String(decoding: ASCII.lowercased(name.utf8), as: UTF8.self)
    }

    /// Checks a name that is in lower case already.
    static func validate(name: String) throws(StorageError) {
        let field = "headers.\(name)"
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isToken) else {
            throw .invalid("headers", "\(name.debugDescription) is no header name.", "Use letters, digits and hyphens.")
        }
        guard !reserved.contains(name), name != "host" else {
            throw .invalid(field, "The signature sets it itself.", "Leave it out.")
        }
        guard signable.contains(name) || name.utf8.starts(with: "x-amz-".utf8) else {
            throw .invalid(
                field, "It means nothing to S3, or may be changed on the way.",
                "Sign x-amz-* headers, or one of \(signable.sorted().joined(separator: ", ")).")
        }
    }

    /// Trims a value and makes one blank of every run of blanks and tabs.
    static func canonical(_ value: String, of name: String) throws(StorageError) -> String {
        var output: [UInt8] = []
        var isBlankPending = false
        for byte in value.utf8 {
            if ASCII.isBlank(byte) {
                isBlankPending = !output.isEmpty
                continue
            }
            guard ASCII.isVisible(byte) else {
                throw .invalid(
                    name == "content-type" ? "contentType" : "headers.\(name)",
                    "Its value holds a control character, or a character that is not ASCII.",
                    "Use printable ASCII; encode other text, for example in base 64.")
            }
            if isBlankPending { output.append(0x20) }
            isBlankPending = false
            output.append(byte)
        }
        return String(decoding: output, as: UTF8.self)
    }
}
