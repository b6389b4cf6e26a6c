package import AccessRules
import HTTP1
import Presigning

/// Why a stage refuses a request: the problem that the client gets, and what only the operator is told.
package struct Refusal: Error, Sendable {
    /// For the client.
    package let problem: Problem
    /// For the log; by default the problem's code.
    package let reason: String
    /// The limit that is used up, if one is.
    let rateLimit: RateLimitStatus?

    init(_ problem: Problem, _ reason: String? = nil, rateLimit: RateLimitStatus? = nil) {
        self.problem = problem
        self.reason = reason ?? problem.code.text
        self.rateLimit = rateLimit
    }

    /// A failure of the server itself.
    init(_ failure: HTTPFailure) { self.init(Problem(failure), failure.reason) }
}

extension Refusal {
    /// How the service refuses what the rules do not allow; nil for what they allow. `explain` and `test-rules` ask this
    /// as well.
    ///
    /// - Parameter namesRule: whether a 403 names the rule that decided.
    package init?(_ decision: AccessDecision, of request: AccessRequest, namesRule: Bool = false) {
        switch decision {
        case .allowed: return nil
        case .unmet(let constraints, _):
            self.init(.constraint(constraints.map { FieldFailure($0.requestField, $0.description) }))
        case .denied(let denial):
            self.init(.denied(denial, request, namesRule: namesRule), denial.reason.code)
        }
    }
}

extension Problem {
    fileprivate static func denied(
        _ denial: AccessDecision.Denial, _ request: AccessRequest, namesRule: Bool
    ) -> Problem {
        switch denial.reason {
        case .path(let refusal):
            .validation([FieldFailure("path", refusal.description)], recovery: refusal.recoverySuggestion)
        case .expiry:
            .validation(
                [FieldFailure("expiresIn", "\(request.expiresIn ?? 0) seconds is not between 1 and 604800 (7 days).")],
                recovery: "Request a lifetime within this range.")
        case .noRule, .noGrant, .deny:
            denial.isGuest
                ? .credentialsMissing : namesRule ? .forbidden(denial.explanation(of: request.action)) : .forbidden
        }
    }
}

extension AccessDecision.Denial {
    /// Why, with the rule's position in the configuration; for developers.
    fileprivate func explanation(of action: AccessAction) -> String {
        let place = rule.map { "`\($0.pattern)` (\($0.position))" } ?? "?"
        return switch reason {
        case .noRule: "no-rule: no rule of this store matches the path"
        case .noGrant: "no-grant: the rule \(place) does not grant you `\(action.name)`"
        case .deny: "deny: the denial \(place) matches the path"
        case .path, .expiry: reason.code
        }
    }
}
