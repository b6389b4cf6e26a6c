package import AccessRules
import HTTP1
import Presigning
package import Requests

/// Why a stage refuses a request: the problem for the client and the reason for the operator.
package struct Refusal: Error, Sendable {
    /// The problem that the client receives.
    package let problem: Problem
    /// The reason in the log; by default the problem's code.
    package let reason: String
    /// The rate limit that the request exceeded, if any.
    let rateLimit: RateLimitStatus?

    init(_ problem: Problem, _ reason: String? = nil, rateLimit: RateLimitStatus? = nil) {
        self.problem = problem
        self.reason = reason ?? problem.code.text
        self.rateLimit = rateLimit
    }

    /// The refusal of a caller that no rule allows.
    static let forbidden = Refusal(.forbidden)

    /// A failure detected by the HTTP server.
    init(_ failure: HTTPFailure) { self.init(Problem(failure), failure.reason) }
}

extension Refusal {
    /// The refusal of a request that the rules do not allow; nil if they allow it. `explain` and `test-rules` use it
    /// too.
    ///
    /// - Parameter namesRule: whether a 403 names the deciding rule.
    package init?(_ decision: AccessDecision, of request: PresignRequest, namesRule: Bool = false) {
        switch decision {
        case .allowed: return nil
        case .denied(let denial) where request.usesShare: self.init(.shareEnded, denial.reason.code)
        case .unmet(let constraints, _) where request.usesShare && constraints.contains(where: \.concernsShare):
            self.init(.shareEnded, "the rule no longer allows the share link")
        case .unmet(let constraints, _):
            self.init(.constraint(constraints.map { FieldFailure($0) }))
        case .denied(let denial):
            self.init(.denied(denial, request, namesRule: namesRule), denial.reason.code)
        }
    }
}

extension PresignRequest {
    fileprivate var usesShare: Bool { if case .use? = share { true } else { false } }
}

extension UnmetConstraint {
    fileprivate var concernsShare: Bool { if case .share = self { true } else { false } }
}

extension Problem {
    fileprivate static func denied(
        _ denial: AccessDecision.Denial, _ request: PresignRequest, namesRule: Bool
    ) -> Problem {
        switch denial.reason {
        case .path(let refusal): Problem(InvalidRequest(refusal, isPrefix: request.isListing))
        case .expiry:
            .validation(
                [FieldFailure("expiresIn", ExpiryRefusal.impossible(request.expiresIn ?? 0).description)],
                recovery: "Send 1 to 604800 seconds (7 days).")
        case .listingOff:
            .validation(
                [FieldFailure("prefix", "this store does not offer listing")],
                recovery: "Set `listing: true` for the store in the configuration, or use another store.")
        case .noRule, .noGrant, .deny:
            denial.isGuest ? .credentialsMissing : namesRule ? .forbidden(denial, request) : .forbidden
        }
    }

    /// 403 with the deciding rule, for developers.
    private static func forbidden(_ denial: AccessDecision.Denial, _ request: PresignRequest) -> Problem {
        forbidden(
            denial.explanation(of: request), recovery: "Change the rules in the configuration, or use another path.")
    }
}

extension FieldFailure {
    /// A limit of the rules that a request does not meet.
    init(_ constraint: UnmetConstraint) {
        self.init(constraint.requestField, entry: constraint.entry, constraint.description)
    }
}
