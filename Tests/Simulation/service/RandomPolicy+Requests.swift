import Requests
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// Requests that hit the rules more often than those of a small vocabulary do by chance.
extension RandomPolicy {
    /// A request for what one of the rules is about, often with sizes at its limits.
    mutating func request(near policy: NaivePolicy) -> DecisionRequest {
        let target = target(in: policy)
        var naive = request()
        (naive.store, naive.path) = (target.rule.store, target.path)
        naive.action = target.action
        naive.expiresIn = one(of: [nil, nil, 600, 900, 901])
        naive.type = one(of: ["image/png", "text/plain"])
        naive.hasChecksum = one(of: [true, true, false])
        naive = DecisionRequest.possible(naive, &self, target.caller)
        if naive.action == "multipart", one(of: [true, true, true, false]) { naive.step = "part" }
        if naive.step == "part" {
            (naive.hasStorageClass, naive.cache, naive.acl, naive.type) = (false, nil, nil, nil)
            naive.hasChecksum = one(of: [true, true, false])
            let limits = target.limits
            (naive.part, naive.length) = part(of: limits.partSize ?? 5 << 20, limits.maxSize ?? 20 << 20)
        } else if naive.action == "write", let most = target.limits.maxSize {
            naive.length = one(of: [most, most + 1, 1])
        }
        return DecisionRequest(naive, by: target.caller)
    }

    /// The number and the length of a part at the limits.
    private mutating func part(of partSize: Int64, _ maxSize: Int64) -> (Int64, Int64) {
        let last = maxSize / partSize + 1
        let number = max(1, one(of: [1, 1, last - 1, last, last, last + 1]))
        let rest = max(0, maxSize - (number - 1) * partSize)
        let most = min(partSize, rest)
        return (number, max(0, one(of: [most, most, most + 1, most + 1, most - 1, partSize, partSize + 1, rest + 1])))
    }

    /// A request for an HTML form.
    mutating func form(near policy: NaivePolicy) -> DecisionRequest {
        let target = target(in: policy)
        var naive = NaivePolicy.Request(
            who: target.caller.who, action: "write", path: target.path, store: target.rule.store,
            type: one(of: ["image/png", "text/plain"]), hasChecksum: one(of: [true, false]))
        naive.isForm = true
        naive.length = target.limits.maxSize.flatMap { one(of: [nil, $0, $0 + 1]) }
        naive.expiresIn = one(of: [nil, nil, 600, 900])
        return DecisionRequest(naive, by: target.caller)
    }

    /// A request for a share link.
    mutating func share(near policy: NaivePolicy) -> DecisionRequest {
        let target = target(in: policy, by: Array(DecisionCaller.all.dropFirst()))
        var naive = NaivePolicy.Request(
            who: target.caller.who, action: one(of: ["get", "get", "write"]), path: target.path,
            store: target.rule.store, hasChecksum: false)
        naive.share = .creation(lifetime: one(of: [nil, 30, 600, 601, 7200]))
        if naive.action == "write" {
            naive.type = one(of: [nil, "image/png", "image/*", "text/plain"])
            naive.length = one(of: [nil, 10, 20, 21])
        }
        return DecisionRequest(naive, by: target.caller)
    }

    /// Lets some rules and grants allow share links.
    mutating func addShares(to policy: inout NaivePolicy) {
        for rule in policy.rules.indices where one(of: [true, true, false]) {
            policy.rules[rule].limits.shareReads = one(of: [600, 7200, 86_400])
            policy.rules[rule].limits.shareWrites = one(of: [nil, 600, 7200])
            for grant in policy.rules[rule].grants.indices where one(of: [true, false, false]) {
                policy.rules[rule].grants[grant].limits.shareReads = one(of: [1, 600, 86_400])
            }
        }
    }

    /// A rule with one of its grants, and a key that it decides unless another rule or a denial does.
    private struct Target {
        let rule: NaivePolicy.Rule
        let action: String
        let limits: NaivePolicy.Limits
        let path: [String]
        let caller: DecisionCaller
    }

    /// - Parameter callers: the callers to choose from.
    private mutating func target(
        in policy: NaivePolicy, by callers: [DecisionCaller] = DecisionCaller.all
    ) -> Target {
        var target = anyTarget(in: policy, by: one(of: callers))
        // Most callers may do nothing at most paths.
        for _ in 0..<6 where one(of: [true, true, true, false]) {
            let plain = NaivePolicy.Request(
                who: target.caller.who, action: target.action, path: target.path, store: target.rule.store,
                hasChecksum: true)
            if [200, 422].contains(policy.verdict(on: plain).status) { return target }
            target = anyTarget(in: policy, by: one(of: callers))
        }
        return target
    }

    private mutating func anyTarget(in policy: NaivePolicy, by caller: DecisionCaller) -> Target {
        let rule = one(of: policy.rules)
        let grant = one(of: rule.grants)
        let action = one(of: grant.actions)
        return Target(
            rule: rule, action: ["read", "list"].contains(action) ? "get" : action,
            limits: policy.merged(rule.limits, grant.limits),
            path: rule.path.map { segment in
                let word = one(of: ["a", "b", "red", "z"])
                switch segment {
                case "**", "*": return word
                case "{identity}": return caller.who?.identity ?? word
                case "{group}": return caller.who?.groups.first ?? word
                case _ where segment.hasPrefix("{"): return caller.who?.claims["t"] ?? word
                default: return segment
                }
            }, caller: caller)
    }
}
