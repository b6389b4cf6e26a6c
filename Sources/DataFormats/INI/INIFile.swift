/// An INI file as AWS tools write it: `[section]`, `name = value`, and comments after `#` or `;`.
///
/// A line that is indented more than the setting above it continues that setting. If the setting is empty, the line is
/// nested in it, such as `addressing_style` in `s3`; other such lines are ignored.
package struct INIFile {
    /// A line that a strict reader can reject.
    package enum Mistake: Error, Sendable, Equatable {
        /// The line is not a setting in a section. Lines count from 1.
        case ignoredLine(Int)
        /// The line repeats a setting of its section. Lines count from 1.
        case repeatedSetting(name: String, line: Int)
    }

    /// The settings by section and lower-case name; `s3.addressing_style` is nested in `s3`. The last of duplicate
    /// settings is used.
    package private(set) var sections: [String: [String: String]] = [:]
    /// The first ignored line or duplicate setting.
    package private(set) var firstMistake: Mistake?

    private var section: String?
    /// The last setting of the section that is not nested.
    private var setting: (name: String, indentation: Int)?

    /// Parses a file. Returns nil if the bytes are not valid UTF-8 or begin with a byte order mark.
    package init?(_ bytes: [UInt8]) {
        guard !bytes.starts(with: [0xEF, 0xBB, 0xBF]), let text = String(validating: bytes, as: UTF8.self) else {
            return nil
        }
        // Split scalars: "\r\n" is a single Character, which would not match "\n".
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            for part in line.split(separator: "\r") { read(part, number: index + 1) }
        }
    }

    private mutating func read(_ line: Substring.UnicodeScalarView, number: Int) {
        let indentation = line.prefix(while: Self.isBlank).count
        let content = Self.trimmed(line).unicodeScalars
        guard let first = content.first, first != "#", first != ";" else { return }
        if first == "[" {
            section = Self.sectionName(content)
            setting = nil
            if let section, sections[section] == nil { sections[section] = [:] }
        } else if let section, let equals = content.firstIndex(of: "=") {
            let name = Self.trimmed(content[..<equals]).lowercased()
            let value = Self.value(content[equals...].dropFirst())
            if let setting, indentation > setting.indentation {
                note(.ignoredLine(number))
                if sections[section]?[setting.name] == "" { sections[section]?["\(setting.name).\(name)"] = value }
                return
            }
            if sections[section, default: [:]].updateValue(value, forKey: name) != nil {
                note(.repeatedSetting(name: name, line: number))
            }
            setting = (name, indentation)
        } else {
            note(.ignoredLine(number))
        }
    }

    private mutating func note(_ mistake: Mistake) {
        if firstMistake == nil { firstMistake = mistake }
    }

    /// Returns the name of a section, for example `profile dev` for `[profile  dev]`, `dev` for `[dev] # note`, and
    /// `profile my dev` for `[profile "my dev"]`.
    private static func sectionName(_ line: String.UnicodeScalarView) -> String? {
        guard let end = line.firstIndex(of: "]") else { return nil }
        let words = line[..<end].dropFirst().split(whereSeparator: isBlank)
        return String(words.map { String($0) }.joined(separator: " ").unicodeScalars.filter { $0 != "\"" })
    }

    /// Returns the value without a trailing comment, which begins with white space and `#` or `;`.
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
