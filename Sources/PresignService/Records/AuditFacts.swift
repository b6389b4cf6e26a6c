import AccessRules
import HTTP1
import Presigning

/// What the audit says of a request beyond its line in the request log. A record has none while the audit is off.
struct AuditFacts: Sendable {
    /// What was signed; never the URL, its signature or a token.
    struct Signed: Sendable {
        let bucket: String
        /// The public half of the credentials, which the storage's own logs name too.
        let accessKeyID: String
        let expiresIn: Int
        let expiresAt: SigningTime
        let limitedBy: PresignedURL.Limit?
    }

    /// The bytes of a `User-Agent` that are kept.
    private static let longestUserAgent = 200

    /// Which edition of the configuration decided.
    let revision: String
    let userAgent: [UInt8]?
    /// Which item of a batch it is about, from 0.
    var item: Int?
    /// The problem's code.
    var code: ProblemCode?
    /// What an upload declares, and what was asked for.
    var contentType: String?
    var contentLength: Int64?
    var requestedExpiry: Int64?
    /// The limits that are not met, and how.
    var unmet: [FieldFailure] = []
    /// The caller's groups through which grants of the deciding rule reach it.
    var groups: [[UInt8]] = []
    var signed: Signed?

    /// - Parameter revision: which edition of the configuration decides.
    init(_ headers: HTTPHeaders, revision: String) {
        self.revision = revision
        // A copy: the headers lie in a buffer of the loop's.
        userAgent = headers.first(.userAgent).map { Array($0.prefix(Self.longestUserAgent)) }
    }

    /// Takes what the request declares.
    mutating func note(_ fields: PresignFields) {
        contentType = fields[.contentType]
        contentLength = fields.contentLength
        requestedExpiry = fields.expiresIn
    }

    /// Takes what was signed.
    mutating func note(_ url: PresignedURL, for store: Store, with credentials: Credentials) {
        signed = Signed(
            bucket: store.configuration.bucket.name, accessKeyID: credentials.accessKeyID,
            expiresIn: url.expiresIn, expiresAt: url.expiresAt, limitedBy: url.limitedBy)
    }

    /// Takes what the rules made of it.
    mutating func note(_ decision: AccessDecision, on request: AccessRequest, by policy: AccessPolicy) {
        if case .denied(let denial) = decision, case .path(let refusal) = denial.reason {
            unmet = [FieldFailure("path", refusal.description)]
        }
        groups = request.caller.groups.isEmpty ? [] : policy.groupsUsed(by: request, decision.rule)
    }

    /// Takes why there is no URL. What else a problem names may hold anything that a caller sent, also a misplaced key.
    mutating func note(_ problem: Problem) {
        code = problem.code
        if problem.status == 422 { unmet = problem.errors }
    }
}

extension AccessPolicy {
    /// The caller's groups through which grants of the deciding rule reach a request.
    fileprivate func groupsUsed(by request: AccessRequest, _ reference: RuleReference?) -> [[UInt8]] {
        guard let reference, let rule = rules.first(where: { $0.reference === reference }) else { return [] }
        var used: [[UInt8]] = []
        for grant in rule.grants
        where grant.actions.contains(.init(request.action)) && rule.includes(request, grant.grantee, groups) {
            switch grant.grantee {
            case .group(let name): used.append(name)
            case .owner, .placeholder(.group):
                let captured = rule.template.firstCapture(in: request.key) { placeholder, _ in placeholder == .group }
                if let captured { used.append(Array(captured.segment)) }
            default: break
            }
        }
        return used
    }
}
