package import AccessRules
import ConfigurationReading
package import DataFormats
package import PresignService
import Text

/// A file of requests with what is expected of the rules: a list of `{name, request, expect}`, in JSON or YAML.
///
/// `request` is as in `RuleQuestion`; `expect` is `{status, rule?, reason?, fields?, expiresIn?, ifNoneMatch?}`, of which
/// what is left out may be anything. Instead of the list there may be a mapping with `config`, the file of the rules,
/// and `cases`, the list.
package struct RuleTestFile: Sendable {
    /// The file of the rules, if this one names it; relative to this one.
    package let configuration: String?
    /// The cases in the order of the file.
    package let cases: [RuleTest]

    /// - Parameters:
    ///   - content: the file's bytes.
    ///   - file: its name, for positions.
    /// - Throws: `RuleTestFileError` for the first mistake.
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
        guard !items.isEmpty else { throw RuleTestFileError(description: "\(file): there are no cases") }
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

    /// JSON has escapes and numbers that YAML writes in another way, so what begins as JSON is read as JSON.
    private static func value(of content: [UInt8], _ file: String) throws -> JSONValue {
        if content[...].looksLikeJSON {
            return try JSONValue(parsing: content, limits: JSONLimits(size: 1 << 26))
        }
        return try ConfigurationNode.read(content, file: file) { JSONValue($0) }
    }
}

/// Why a file of cases cannot be used, with its name.
package struct RuleTestFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line.
    package let description: String
}

/// One request, and what is expected of the rules.
package struct RuleTest: Sendable {
    /// The case's name and its number in the file, from 1.
    package let title: String
    /// What is asked.
    package let request: AccessRequest
    private let expected: JSONValue

    private static let expectations = ["status", "rule", "reason", "fields", "expiresIn", "ifNoneMatch"]

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

    /// In what the verdict differs from what is expected; empty when it does not.
    package func differences(from verdict: RuleVerdict) -> [String] {
        guard let answer = try? JSONValue(parsing: verdict.json(id: nil)) else { return ["the verdict is no JSON"] }
        guard case .object(let members) = expected else { return [] }
        return members.compactMap { member in
            let name = String(decoding: member.name, as: UTF8.self)
            let found = answer[name] ?? .null
            guard !Self.agree(member.value, found) else { return nil }
            return "\(name) is \(Self.text(found)), not \(Self.text(member.value))"
        }
    }

    /// Lists are compared without regard to order, which says nothing.
    private static func agree(_ expected: JSONValue, _ found: JSONValue) -> Bool {
        guard case .array(let items) = expected, case .array(let others) = found else { return expected == found }
        return items.count == others.count && items.allSatisfy(others.contains) && others.allSatisfy(items.contains)
    }

    private static func text(_ value: JSONValue) -> String {
        var bytes: [UInt8] = []
        bytes.appendJSON(value)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue {
    /// What a YAML node means to JSON: plain `null`, `true`, `false` and whole numbers are no texts.
    fileprivate init(_ node: ConfigurationNode) {
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
