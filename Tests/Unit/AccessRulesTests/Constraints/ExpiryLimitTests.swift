import Testing

@testable import AccessRules

@Suite("Lifetime of URLs")
struct ExpiryLimitTests {
    private static func limits(_ standard: Int, _ maximum: Int) -> ExpiryLimits {
        var limits = ExpiryLimits()
        (limits.default, limits.max) = (standard, maximum)
        return limits
    }

    @Test(
        "The request's expiry wins over the rule's and the service's; defaults are capped at the maximum",
        arguments: [
            (nil, nil, nil, 300), (60, 120, nil, 60), (nil, 120, nil, 120), (nil, 1200, nil, 900), (nil, nil, 60, 60),
            (nil, 120, 60, 60), (900, nil, nil, 900), (60, nil, 60, 60),
        ] as [(Int64?, Int64?, Int64?, Int64)])
    func lifetime(requested: Int64?, ruleDefault: Int64?, ruleMaximum: Int64?, expected: Int64) throws {
        var rule = AccessConstraints()
        (rule.defaultExpiry, rule.maximumExpiry) = (ruleDefault, ruleMaximum)
        #expect(try Self.limits(300, 900).lifetime(of: requested, within: rule) == expected)
    }

    @Test(
        "An expiry above the maximum is rejected",
        arguments: [
            (0, nil, .impossible(0)), (-1, nil, .impossible(-1)), (604_801, nil, .impossible(604_801)),
            (901, nil, .tooLong(901, maximum: 900)), (61, 60, .tooLong(61, maximum: 60)),
            (1000, 1200, .tooLong(1000, maximum: 900)),
        ] as [(Int64, Int64?, ExpiryRefusal)])
    func refused(requested: Int64, ruleMaximum: Int64?, refusal: ExpiryRefusal) {
        var rule = AccessConstraints()
        rule.maximumExpiry = ruleMaximum
        #expect(throws: refusal) { try Self.limits(300, 900).lifetime(of: requested, within: rule) }
    }

    @Test func namesTheValueAndTheRange() {
        #expect(ExpiryRefusal.impossible(604_801).description == "is 604801 seconds; must be 1 to 604800 (7 days)")
    }
}
