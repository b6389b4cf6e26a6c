package import ConfigurationReading

/// Where a rule or a denial stands, for the audit and for explanations; never for the caller.
package final class RuleReference: Equatable, Sendable, CustomStringConvertible {
    /// The path as the configuration has it.
    package let pattern: String
    /// Where it stands.
    package let position: SourcePosition

    /// The pattern and its place.
    package let description: String

    package init(pattern: String, position: SourcePosition) {
        self.pattern = pattern
        self.position = position
        description = "\(pattern) (\(position))"
    }

    /// The same pattern at the same place.
    package static func == (left: RuleReference, right: RuleReference) -> Bool {
        left === right || (left.pattern == right.pattern && left.position == right.position)
    }
}

/// Whether a request is allowed, and why.
package enum AccessDecision: Equatable, Sendable {
    case allowed(Allowance)
    case denied(Denial)
    /// The caller may do it, but not like this: every limit that is not met.
    case unmet([UnmetConstraint], rule: RuleReference)

    /// What is allowed, and what signing must hold to.
    package struct Allowance: Equatable, Sendable {
        /// The rule that decided.
        package let rule: RuleReference
        /// True: `if-none-match: *` must be signed into this request.
        package let requiresIfNoneMatch: Bool
        /// Seconds the URL should live; final in what `AccessPolicy` decides.
        package private(set) var expiresIn: Int64 = 0
        /// Seconds when the request names none; nil leaves it to the service.
        package let defaultExpiry: Int64?
        /// Seconds at most; nil leaves it to the service.
        package let maximumExpiry: Int64?

        package init(rule: RuleReference, requiresIfNoneMatch: Bool, defaultExpiry: Int64?, maximumExpiry: Int64?) {
            self.rule = rule
            self.requiresIfNoneMatch = requiresIfNoneMatch
            self.defaultExpiry = defaultExpiry
            self.maximumExpiry = maximumExpiry
        }

        /// - Parameters:
        ///   - requested: the request's `expiresIn`.
        ///   - service: the service's own limits.
        mutating func resolveExpiry(requested: Int64?, service: ExpiryLimits) throws(ExpiryRefusal) {
            expiresIn = try service.lifetime(of: requested, ruleDefault: defaultExpiry, ruleMaximum: maximumExpiry)
        }
    }

    /// Why a request is refused.
    package struct Denial: Equatable, Sendable {
        /// Why.
        package let reason: Reason
        /// The rule or denial that decided, if one did.
        package let rule: RuleReference?
        /// Whether the caller is a guest, who may try again with credentials.
        package let isGuest: Bool
    }

    /// The kinds of refusal.
    package enum Reason: Equatable, Sendable {
        /// The path cannot be a key here.
        case path(ObjectKeyRefusal)
        /// No rule of the store matches, or there is no such store.
        case noRule
        /// The deciding rule grants this caller no such action.
        case noGrant
        /// An entry of `deny` matches; it beats every grant.
        case deny(pattern: String)
        /// No URL can live as long as the request asks for.
        case expiry

        /// A stable code for the audit: `path`, `no-rule`, `no-grant`, `deny:PATTERN`, `expiresIn`.
        package var code: String {
            switch self {
            case .path: "path"
            case .noRule: "no-rule"
            case .noGrant: "no-grant"
            case .deny(let pattern): "deny:\(pattern)"
            case .expiry: "expiresIn"
            }
        }
    }

    /// The rule or denial that decided, if one did.
    package var rule: RuleReference? {
        switch self {
        case .allowed(let allowance): allowance.rule
        case .denied(let denial): denial.rule
        case .unmet(_, let rule): rule
        }
    }
}
