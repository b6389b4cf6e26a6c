import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats

@Suite("Rule cases")
struct RuleCaseTests {
    @Test func readsEveryCase() throws {
        let bytes = try Repository.bytes(of: "Tests/Cases/rules.json")
        guard case .array(let items) = try JSONValue(parsing: bytes, limits: JSONLimits(size: 1 << 20)) else {
            Issue.record("rules.json is not an array")
            return
        }
        #expect(items.count == RuleCase.all.count && items.count >= 44)
    }

    @Test("The policy decides each case as expected", arguments: RuleCase.all)
    func decision(of ruleCase: RuleCase) throws {
        let decision = try RuleCase.policy.get().decision(for: ruleCase.request)
        let expected = ruleCase.expected
        #expect(Int64(decision.status) == expected["status"]?.integer)
        if let rule = expected["rule"]?.string {
            #expect(decision.rule.map { Array($0.pattern.utf8) } == rule)
        }
        switch decision {
        case .allowed(let allowance):
            if let expiry = expected["expiresIn"]?.integer {
                #expect(allowance.expiresIn == expiry)
            }
            if let ifNoneMatch = expected["ifNoneMatch"]?.boolean {
                #expect(allowance.requiresIfNoneMatch == ifNoneMatch)
            }
        case .denied(let denial):
            if let reason = expected["reason"]?.string { #expect(Array(denial.reason.code.utf8) == reason) }
        case .unmet(let unmet, _):
            if let reason = expected["reason"] {
                #expect(JSONValue.array(unmet.map { .string(Array($0.field.utf8)) }) == reason)
            }
        }
    }
}
