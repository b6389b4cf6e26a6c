import Text

extension YAMLReader {
    /// Reads a plain or quoted scalar on one line.
    package mutating func scalar(inFlow: Bool) throws(ConfigurationError) -> (text: String, isPlain: Bool) {
        switch current {
        case nil: throw error("missing value")
        case "\"": return try doubleQuoted()
        case "'": return try singleQuoted()
        case "&", "*": throw error("anchors and aliases are not supported; put text with this prefix in quotes")
        case "!": throw error("tags are not supported; put text with this prefix in quotes")
        case "|", ">": throw error("block scalars are not supported; write the text in quotes on one line")
        case "@", "`", "%", ",", "]", "}", "#":
            throw error("text that begins with this character must be in quotes")
        default: return try plain(inFlow: inFlow)
        }
    }

    private mutating func plain(inFlow: Bool) throws(ConfigurationError) -> (text: String, isPlain: Bool) {
        let first = index
        if current == "?" || current == ":" || (current == "-" && endsPlain(at: index + 1, inFlow: inFlow)) {
            throw error("text that begins with this character must be in quotes")
        }
        while let scalar = current, !Self.isLineEnd(scalar) {
            if scalar == "\t" { throw error("tabs are allowed only in quotes; use spaces") }
            if scalar == ":", endsPlain(at: index + 1, inFlow: inFlow) {
                guard isBlankOrEnd(at: index + 1) else { throw error("add a space after \":\"") }
                break
            }
            if scalar == "#", index > first, Self.isBlank(text[index - 1]) { break }
            if inFlow, ",[]{}".unicodeScalars.contains(scalar) { break }
            advance()
        }
        // Trailing blanks do not belong to the text.
        var end = index
        while end > first, Self.isBlank(text[end - 1]) { end -= 1 }
        index = end
        return (string(text[first..<end]), true)
    }

    /// Returns whether the character before `index` is an indicator (":", "-", "?") instead of part of the text.
    private func endsPlain(at index: Int, inFlow: Bool) -> Bool {
        isBlankOrEnd(at: index) || (inFlow && ",[]{}".unicodeScalars.contains(text[index]))
    }

    private mutating func singleQuoted() throws(ConfigurationError) -> (text: String, isPlain: Bool) {
        let start = position
        var content: [Unicode.Scalar] = []
        advance()
        while true {
            let scalar = try quotedScalar(openedAt: start)
            if scalar == "'" {
                guard current == "'" else { break }
                advance()
            }
            content.append(scalar)
        }
        return (string(content[...]), false)
    }

    private mutating func doubleQuoted() throws(ConfigurationError) -> (text: String, isPlain: Bool) {
        let start = position
        var content: [Unicode.Scalar] = []
        advance()
        while true {
            let scalar = try quotedScalar(openedAt: start)
            if scalar == "\"" { break }
            content.append(scalar == "\\" ? try escape() : scalar)
        }
        return (string(content[...]), false)
    }

    private mutating func quotedScalar(openedAt start: SourcePosition) throws(ConfigurationError) -> Unicode.Scalar {
        guard let scalar = current, !Self.isLineEnd(scalar) else {
            throw error("add the closing quote on this line", at: start)
        }
        advance()
        return scalar
    }

    /// Reads an escape after its backslash (YAML 1.2 section 5.7).
    private mutating func escape() throws(ConfigurationError) -> Unicode.Scalar {
        guard let kind = current else { throw error("incomplete escape") }
        let single: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", " ": " ", "\t": "\t", "0": "\0", "a": "\u{7}", "b": "\u{8}", "t": "\t",
            "n": "\n", "v": "\u{B}", "f": "\u{C}", "r": "\r", "e": "\u{1B}", "N": "\u{85}", "_": "\u{A0}",
            "L": "\u{2028}", "P": "\u{2029}",
        ]
        if let scalar = single[kind] {
            advance()
            return scalar
        }
        let digits: [Unicode.Scalar: Int] = ["x": 2, "u": 4, "U": 8]
        guard let count = digits[kind] else { throw error("unknown escape \"\\\(kind)\"") }
        advance()
        return try hexadecimal(digits: count)
    }

    private mutating func hexadecimal(digits: Int) throws(ConfigurationError) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digits {
            guard let digit = current.flatMap({ UInt8(exactly: $0.value) })?.hexadecimalValue else {
                throw error("expected \(digits) hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        guard let scalar = Unicode.Scalar(value) else { throw error("this escape is not a Unicode character") }
        return scalar
    }

    private func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }
}
