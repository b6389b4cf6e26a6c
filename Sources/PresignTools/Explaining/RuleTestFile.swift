package import DataFormats
import Presigning
package import Requests
import Text

/// A file of rule tests: a list of `{name, request, expect}`, in JSON or YAML.
///
/// `request` is a `RuleQuestion`; `expect` is `{status, rule?, reason?, fields?, expiresIn?, window?, ifNoneMatch?,
/// headers?}`, of which only the present fields are compared. Instead of the list the file can be a mapping with
/// `config`, the file of the rules, and `cases`, the list.
package struct RuleTestFile: Sendable {
    /// The path of the rules, relative to this file; nil if the file does not name it.
    package let configuration: String?
    /// The cases in the order of the file.
    package let cases: [RuleTest]

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - content: the file's bytes.
    ///   - file: its name, for positions.
    /// - Throws: `RuleTestFileError` for the first error.
    package init(parsing content: [UInt8], file: String) throws(RuleTestFileError) {
        let root: JSONValue
        do {
            root = try Self.value(of: content, file)
        } catch let error as ConfigurationError {
            throw RuleTestFileError(description: error.description)
        } catch {
            throw RuleTestFileError(description: "\(file): \(error)")
        }
        let items: [JSONValue]
        if case .array(let list) = root {
            (configuration, items) = (nil, list)
        } else {
            do throws(FieldFailure) {
                try root.check("", ["config", "cases"])
                (configuration, items) = (try root.text("config"), try root.items("cases"))
            } catch {
                throw RuleTestFileError(description: "\(file): \(error)")
            }
        }
        guard !items.isEmpty else { throw RuleTestFileError(description: "\(file): the list of cases is empty") }
        var cases: [RuleTest] = []
        for (index, item) in items.enumerated() {
            do throws(FieldFailure) {
                cases.append(try RuleTest(item, number: index + 1))
            } catch {
                throw RuleTestFileError(description: "\(file): case \(index + 1): \(error)".printable)
            }
        }
        self.cases = cases
    }

    /// Reads JSON if the content starts like JSON, because escapes and numbers differ in YAML.
    private static func value(of content: [UInt8], _ file: String) throws -> JSONValue {
        if content[...].looksLikeJSON {
            return try JSONValue(parsing: content, limits: JSONLimits(size: 1 << 26))
        }
        return try ConfigurationNode.read(content, file: file) { JSONValue($0) }
    }
}

/// The reason why a file of rule tests is invalid, with its name.
package struct RuleTestFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line.
    package let description: String
}

/// One request and the expected verdict.
package struct RuleTest: Sendable {
    /// The number of the case in the file, from 1, and its name.
    package let title: String
    /// The request to decide.
    package let request: PresignRequest
    private let expected: JSONValue

    private static let expectations = [
        "status", "rule", "reason", "fields", "expiresIn", "window", "ifNoneMatch", "headers",
    ]

    /// - Throws: `FieldFailure` for a missing, unknown or invalid field.
    package init(_ value: JSONValue, number: Int) throws(FieldFailure) {
        try value.check("", ["name", "request", "expect"])
        guard let request = value["request"] else { throw FieldFailure("request", "is missing") }
        self.request = try RuleQuestion(request).request
        title = try value.text("name").map { "case \(number), \($0)" } ?? "case \(number)"
        guard let expected = value["expect"] else { throw FieldFailure("expect", "is missing") }
        try expected.check("expect", Self.expectations)
        guard try expected.wholeNumber("status") != nil else { throw FieldFailure("expect.status", "is missing") }
        self.expected = expected
    }

    /// Returns the differences between the verdict and the expectation.
    package func differences(from verdict: RuleVerdict) -> [String] {
        guard let actual = try? JSONValue(parsing: verdict.json(id: nil)) else { return ["the verdict is not JSON"] }
        guard case .object(let members) = expected else { return [] }
        return members.compactMap { member in
            let name = String(decoding: member.name, as: UTF8.self)
            let found = actual[name] ?? .null
            guard !Self.agree(member.value, found) else { return nil }
            return "\(name) is \(Self.text(found)), expected \(Self.text(member.value))"
        }
    }

    /// Compares lists regardless of their order, which has no meaning.
    private static func agree(_ expected: JSONValue, _ found: JSONValue) -> Bool {
        guard case .array(let items) = expected, case .array(let others) = found else { return expected == found }
        return items.count == others.count && items.allSatisfy(others.contains) && others.allSatisfy(items.contains)
    }

    private static func text(_ value: JSONValue) -> String {
        var text = ByteBuffer()
        text.appendJSON(value)
        return String(decoding: text.bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// Converts a YAML node; plain `null`, `true`, `false` and whole numbers are not strings.
    init(_ node: ConfigurationNode) {
        switch node.content {
        case .list(let items): self = .array(items.map(JSONValue.init))
        case .mapping(let members):
            self = .object(members.map { Member(name: Array($0.key.utf8), value: JSONValue($0.value)) })
        case .scalar(let text, let isPlain):
            switch text {
            case "", "~", "null": self = isPlain ? .null : .string(Array(text.utf8))
            case "true" where isPlain, "false" where isPlain: self = .boolean(text == "true")
            default:
                let isNumber = isPlain && Int(canonicalDecimal: text.utf8.span) != nil
                self = isNumber ? .number(Array(text.utf8)) : .string(Array(text.utf8))
            }
        }
    }
}
