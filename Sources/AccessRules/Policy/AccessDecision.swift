package import DataFormats
package import Presigning
package import Requests

/// The path and position of a rule or a denial, for the audit log and `explain`. Callers do not see it by default.
package final class RuleReference: Equatable, Sendable, CustomStringConvertible {
    /// The path as written in the configuration.
    package let pattern: String
    /// The position of the path in the configuration.
    package let position: SourcePosition

    /// `pattern (file:line:column)`.
    package let description: String

    package init(pattern: String, position: SourcePosition) {
        self.pattern = pattern
        self.position = position
        description = "\(pattern) (\(position))"
    }

    package static func == (left: RuleReference, right: RuleReference) -> Bool {
        left === right || (left.pattern == right.pattern && left.position == right.position)
    }
}

/// Whether a request is allowed, and why.
package enum AccessDecision: Equatable, Sendable {
    case allowed(Allowance)
    case denied(Denial)
    /// A grant reaches the caller, but the request does not meet these limits.
    case unmet([UnmetConstraint], rule: AccessRule)

    /// What signing needs from the grant that allows a request.
    package struct Allowance: Equatable, Sendable {
        /// The rule that decided.
        package let rule: AccessRule
        /// The grant that allows the request.
        package let grant: AccessRule.Grant
        /// Whether `if-none-match: *` must be signed into this request, so that the storage does not replace an object.
        package let requiresIfNoneMatch: Bool
        /// The settings to sign in addition to those of the request.
        package let settings: [UploadSetting]
        /// The checksum algorithm to sign in addition, when a multipart upload is created, so that S3 accepts the
        /// checksums of its parts.
        package let checksumAlgorithm: ChecksumAlgorithm?
        /// The lifetime of the URL in seconds; 0 until the store's limits are applied.
        package private(set) var expiresIn: Int64 = 0
        /// The length in seconds of the window in which the caller gets the same URL, which lives that much longer; 0
        /// for none, and until the store's limits are applied.
        package private(set) var window: Int64 = 0

        /// Creates what a grant of the rule allows the request.
        init(of rule: AccessRule, _ grant: AccessRule.Grant, to request: borrowing PresignRequest) {
            self.rule = rule
            self.grant = grant
            requiresIfNoneMatch = grant.constraints.overwrite == false && request.createsObject
            if let set = grant.constraints.set, request.storesSettings {
                let settings = request.settings
                self.settings = set.filter { !settings.contains($0) }
            } else {
                settings = []
            }
            checksumAlgorithm =
                request.step == .create && request.partChecksum == nil ? grant.constraints.checksum : nil
        }

        /// The limits of the grant.
        package var constraints: AccessConstraints { grant.constraints }

        /// Sets `expiresIn` and `window` from the request and the limits of the grant and the service.
        ///
        /// - Parameter service: The service's limits.
        mutating func resolveExpiry(of request: PresignRequest, service: ExpiryLimits) throws(ExpiryRefusal) {
            expiresIn = try service.lifetime(of: request.expiresIn, within: grant.constraints)
            if request.hasRareFields, let life = request.briefLife {
                expiresIn = min(life, service.maximum(within: grant.constraints))
                return
            }
            if let longest = request.share?.longestURL { expiresIn = min(expiresIn, longest) }
            guard let length = grant.constraints.window, request.action == .get else { return }
            window = Int64(URLWindow.fitting(Int(length), lifetime: Int(expiresIn)))
            guard request.share != nil else { return }
            // The URL lives up to a window longer, which must not exceed what the link allows.
            window = min(window, expiresIn / 2)
            expiresIn -= window
        }
    }

    /// A refusal, with its reason.
    package struct Denial: Error, Equatable, Sendable {
        /// The reason.
        package let reason: Reason
        /// The rule or denial that decided, if any.
        package let rule: RuleReference?
        /// Whether the caller is a guest, who can retry with credentials.
        package let isGuest: Bool

        /// The reason with the rule's position in the configuration, for developers.
        package func explanation(of request: PresignRequest) -> String {
            let rule = self.rule.map { "`\($0.pattern)` (\($0.position))" } ?? "?"
            return switch reason {
            case .noRule where request.isListing: "no-rule: some keys below the prefix match no rule of this store"
            case .noRule: "no-rule: no rule of this store matches the path"
            case .noGrant where request.isListing:
                "no-grant: the rule \(rule), which decides keys below the prefix, does not grant you `list`"
            case .noGrant: "no-grant: the rule \(rule) does not grant you `\(request.action.name)`"
            case .deny where request.isListing: "deny: the deny pattern \(rule) matches keys below the prefix"
            case .deny: "deny: the deny pattern \(rule) matches the path"
            case .path, .expiry, .listingOff: reason.code
            }
        }
    }

    /// The kinds of refusal.
    package enum Reason: Equatable, Sendable {
        /// The path is not a valid object key.
        case path(ObjectKeyRefusal)
        /// No rule of the store matches, or the store does not exist.
        case noRule
        /// The deciding rule does not grant the action to this caller.
        case noGrant
        /// An entry of `deny` matches. It overrides every grant.
        case deny(pattern: String)
        /// S3 accepts no URL with the requested lifetime.
        case expiry
        /// The store does not offer listing.
        case listingOff

        /// A stable code for the audit log: `path`, `no-rule`, `no-grant`, `deny:PATTERN`, `expiresIn`,
        /// `listing-off`.
        package var code: String {
            switch self {
            case .path: "path"
            case .noRule: "no-rule"
            case .noGrant: "no-grant"
            case .deny(let pattern): "deny:\(pattern)"
            case .expiry: "expiresIn"
            case .listingOff: "listing-off"
            }
        }
    }

    var isAllowed: Bool { if case .allowed = self { true } else { false } }

    /// The rule or denial that decided, if any.
    package var rule: RuleReference? {
        switch self {
        case .allowed(let allowance): allowance.rule.reference
        case .denied(let denial): denial.rule
        case .unmet(_, let rule): rule.reference
        }
    }
}

extension PresignRequest {
    /// Adds what the rule that allows the request signs, too.
    package mutating func add(_ allowance: AccessDecision.Allowance) {
        if allowance.requiresIfNoneMatch, ifNoneMatch == nil { ifNoneMatch = "*" }
        if let algorithm = allowance.checksumAlgorithm { self.checksumAlgorithm = algorithm.name }
        if !allowance.settings.isEmpty { settings += allowance.settings }
    }
}
