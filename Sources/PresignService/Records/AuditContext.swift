import AccessRules
import HTTP1
import Presigning

/// What the audit says of a request beyond its line in the request log. A record has none while the audit is off.
struct AuditContext: Sendable {
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
}

extension AccessPolicy {
    /// The caller's groups through which grants of the deciding rule reach a request.
    func groupsUsed(by request: AccessRequest, _ reference: RuleReference?) -> [[UInt8]] {
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
