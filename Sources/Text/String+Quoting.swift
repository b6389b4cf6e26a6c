extension StringProtocol {
    /// The value in backticks for a message, at most 64 characters of it; `empty` without any.
    public var quoted: String {
        if isEmpty { return "empty" }
        let shown = unicodeScalars.prefix(64)
        return "`\(String(String.UnicodeScalarView(shown)))\(shown.endIndex == unicodeScalars.endIndex ? "" : "...")`"
    }
}
