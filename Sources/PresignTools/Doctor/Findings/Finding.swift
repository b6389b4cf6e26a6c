import AccessRules
import DataFormats
import Text

/// The verdict of a check and what follows from it.
package struct Finding: Sendable {
    package let store: String
    package let guarantee: Guarantee
    /// The web origin that was checked; nil if the check does not depend on one.
    package let origin: String?
    package let verdict: Verdict
    /// The rules that rely on the guarantee, unless it is enforced.
    package let reliances: [Reliance]

    package init(store: String, _ guarantee: Guarantee, origin: String?, _ verdict: Verdict, _ reliances: [Reliance]) {
        (self.store, self.guarantee, self.origin) = (store, guarantee, origin)
        self.verdict = verdict
        self.reliances = verdict.result == .enforced ? [] : reliances
    }

    /// Whether a rule relies on what the storage does not enforce.
    package var breaksRule: Bool { verdict.result == .notEnforced && !reliances.isEmpty }

    /// Whether a rule relies on what could not be checked.
    package var leavesRuleUnchecked: Bool { verdict.result == .notPossible && !reliances.isEmpty }

    /// The fix; nil if none is needed or known.
    private var remedy: String? { verdict.result == .notEnforced ? verdict.remedy ?? guarantee.remedy : nil }

    /// The most rules that the text names.
    private static let namedRules = 10

    /// One line with the verdict, then indented lines with what follows.
    package var text: String {
        let name = guarantee.name.padded(to: 20)
        let place = origin.map { " for \($0)" } ?? ""
        let margin = "\n" + "".padded(to: 13)
        var text = "\(verdict.result.rawValue.padded(to: 13)) \(name) \(guarantee.statement)\(place): \(verdict.detail)"
        for reliance in reliances.prefix(Self.namedRules) {
            text += "\(margin) \(reliance.rule) relies on it: \(reliance.reason)"
        }
        let more = reliances.count - Self.namedRules
        if more > 0 { text += "\(margin) and \(more) more; --json names all" }
        if let remedy { text += "\(margin) remedy: \(remedy)" }
        return text
    }

    /// One JSON object on one line.
    package var json: [UInt8] {
        var output = ByteBuffer()
        output.appendObject { json in
            json.member("store", store)
            json.member("check", guarantee.name)
            json.member("origin", origin)
            json.member("result", verdict.result.rawValue)
            json.member("detail", "\(guarantee.statement): \(verdict.detail)")
            json.member("remedy", remedy)
            json.array("reliedOnBy") { json in
                for reliance in reliances {
                    json.object {
                        $0.member("rule", reliance.rule.pattern)
                        $0.member("file", reliance.rule.position.file)
                        $0.member("line", reliance.rule.position.line)
                        $0.member("reason", reliance.reason)
                    }
                }
            }
        }
        return output.bytes
    }
}

/// The outcome of one check.
package struct Verdict: Sendable, Equatable {
    package enum Result: String, Sendable {
        case enforced
        case notEnforced = "not enforced"
        case notPossible = "not possible"
    }

    package let result: Result
    /// What the storage did, or why the check was not possible.
    package let detail: String
    /// The fix if it differs from that of the guarantee.
    package var remedy: String?

    package static func enforced(_ detail: String) -> Verdict { Verdict(result: .enforced, detail: detail) }
    package static func notEnforced(_ detail: String) -> Verdict { Verdict(result: .notEnforced, detail: detail) }
    package static func notPossible(_ detail: String) -> Verdict { Verdict(result: .notPossible, detail: detail) }
}

extension String {
    /// The text with spaces up to a length in characters.
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - count))
    }
}
