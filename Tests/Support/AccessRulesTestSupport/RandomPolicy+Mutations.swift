/// One change of a policy, as people make them.
extension RandomPolicy {
    /// Returns the policy with one random change; some changes have no effect.
    mutating func changed(_ policy: NaivePolicy) -> NaivePolicy {
        var changed = policy
        switch Int.random(in: 0..<12, using: &generator) {
        case 0 where changed.rules.count > 1:
            changed.rules.remove(at: Int.random(in: changed.rules.indices, using: &generator))
        case 0, 1: changed.rules += self.policy().rules.prefix(1)
        case 2: changed.denials = changed.denials.isEmpty ? [denial()] : Array(changed.denials.dropLast())
        case 3: changed.denials.append(denial())
        case 4: changed.isExclusive.toggle()
        case 5:
            guard let index = changed.denials.indices.randomElement(using: &generator) else { return changed }
            changed.denials[index].actions = optional([
                one(of: ["get", "list", "write", "delete", "multipart", "read"])
            ])
        case 6: changeSegment(of: &changed)
        case 7: changeGrants(of: &changed)
        default: changeLimits(of: &changed)
        }
        return changed.withoutDuplicates
    }

    /// A request for a key that a rule of the policy matches.
    mutating func request(to policy: NaivePolicy) -> NaivePolicy.Request {
        var request = self.request()
        let rule = one(of: policy.rules)
        request.store = rule.store
        request.path = rule.path.map { segment in
            let who = request.who
            let own: String? =
                switch segment {
                case "{identity}": who?.identity
                case "{group}": who?.groups.first
                case "{claim.t}": who?.claims["t"]
                case "*", "**": nil
                default: segment
                }
            return own ?? one(of: ["a", "b", "c", "red", "é"])
        }
        return request
    }

    /// A literal, a placeholder or a wildcard becomes another, which changes what the rule matches and its precedence.
    private mutating func changeSegment(of policy: inout NaivePolicy) {
        let index = Int.random(in: policy.rules.indices, using: &generator)
        let path = policy.rules[index].path
        let segment = Int.random(in: path.indices, using: &generator)
        let words = ["a", "b", "c", "red", "*"] + (segment == path.count - 1 ? ["**"] : [])
        // Placeholders stay, because grantees name them.
        if !path[segment].hasPrefix("{") { policy.rules[index].path[segment] = one(of: words) }
    }

    private mutating func changeGrants(of policy: inout NaivePolicy) {
        let index = Int.random(in: policy.rules.indices, using: &generator)
        let grant = Int.random(in: policy.rules[index].grants.indices, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
            if policy.rules[index].grants.count > 1 { policy.rules[index].grants.remove(at: grant) }
        case 1:
            policy.rules[index].grants[grant].actions = [
                one(of: ["get", "list", "write", "delete", "multipart", "read"])
            ]
        case 2:
            policy.rules[index].grants[grant].actions.append(one(of: ["get", "list", "write", "delete", "multipart"]))
        default:
            let grantee = one(of: ["everyone", "guest", "authenticated", "group:red", "group:b", "caller:k"])
            if !policy.rules[index].grants.contains(where: { $0.grantee == grantee }) {
                policy.rules[index].grants[grant].grantee = grantee
            }
        }
    }

    private mutating func changeLimits(of policy: inout NaivePolicy) {
        let index = Int.random(in: policy.rules.indices, using: &generator)
        let other = self.policy().rules[0]
        if Bool.random(using: &generator) {
            let grant = Int.random(in: policy.rules[index].grants.indices, using: &generator)
            policy.rules[index].grants[grant].limits = other.grants[0].limits
        } else {
            policy.rules[index].limits = other.limits
        }
    }
}

extension NaivePolicy {
    /// A store cannot have two rules of the same shape.
    fileprivate var withoutDuplicates: NaivePolicy {
        var policy = self
        var shapes: Set<[String]> = []
        policy.rules = rules.filter { rule in
            shapes.insert([rule.store] + rule.path.map { $0.hasPrefix("{") ? "{}" : $0 }).inserted
        }
        return policy
    }
}
