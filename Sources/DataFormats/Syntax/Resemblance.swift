import Text

/// What a text probably is, to say what is wrong with a request.
extension ArraySlice<UInt8> {
    /// Whether the text begins with a name and `=`, which JSON cannot.
    package var looksLikeForm: Bool {
        let name = prefix { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "_") }
        return !name.isEmpty && dropFirst(name.count).first == UInt8(ascii: "=")
    }

    /// Whether the first byte other than whitespace starts a JSON object or array.
    package var looksLikeJSON: Bool {
        let first = first { !ASCII.isWhitespace($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
}
