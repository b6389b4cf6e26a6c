/// The sections of an AWS shared file: INI, `#` and `;` comments, lines that are indented more than the setting above them
/// belong to it.
package struct SharedFile {
    package private(set) var sections: [String: [String: String]] = [:]

    /// nil when the bytes are not UTF-8, or begin with a byte order mark, behind which no section would be found.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        var section: String?
        var settingIndentation: Int?
        // Scalars, not Characters: "\r\n" is one Character and no line end.
        for line in text.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
            let indentation = line.prefix(while: Self.isBlank).count
            let isNested = settingIndentation.map { indentation > $0 } ?? false
            let content = Self.trimmed(line)
            guard let first = content.unicodeScalars.first, first != "#", first != ";" else { continue }
            if first == "[" {
                section = Self.sectionName(content)
                settingIndentation = nil
                if let section, sections[section] == nil { sections[section] = [:] }
            } else if let section, !isNested, let equals = content.unicodeScalars.firstIndex(of: "=") {
                let name = Self.trimmed(content.unicodeScalars[..<equals]).lowercased()
                sections[section]?[name] = Self.value(content.unicodeScalars[equals...].dropFirst())
                settingIndentation = indentation
            }
        }
    }

    /// `[profile  dev]` and `[dev] # note` name `profile dev` and `dev`; `[profile "my dev"]` names `profile my dev`.
    private static func sectionName(_ line: String) -> String? {
        guard let end = line.unicodeScalars.firstIndex(of: "]") else { return nil }
        let words = line.unicodeScalars[..<end].dropFirst().split(whereSeparator: isBlank)
        return String(words.map { String($0) }.joined(separator: " ").unicodeScalars.filter { $0 != "\"" })
    }

    /// A comment inside a value begins with white space and `#` or `;`.
    private static func value(_ text: Substring.UnicodeScalarView) -> String {
        var previousIsBlank = false
        for index in text.indices {
            if previousIsBlank, text[index] == "#" || text[index] == ";" { return trimmed(text[..<index]) }
            previousIsBlank = isBlank(text[index])
        }
        return trimmed(text)
    }

    private static func trimmed(_ text: Substring.UnicodeScalarView) -> String {
        var text = text.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return String(text)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t"
    }
}
