import AccessRules
import HTTP1
import Presigning

/// What the audit records about a request in addition to the request log. Absent while the audit is off.
struct AuditContext: Sendable {
    /// The signed URL's parameters; never the URL, its signature or a token.
    struct Signed: Sendable {
        let bucket: String
        /// The public half of the credentials, which the storage's logs contain too.
        let accessKeyID: String
        let expiresIn: Int
        let expiresAt: SigningTime
        let limitedBy: PresignedURL.Limit?
    }

    /// Bytes; a longer `User-Agent` is truncated.
    private static let maximumUserAgentLength = 200

    /// The revision of the configuration that decided.
    let revision: String
    let userAgent: [UInt8]?
    /// The index of a batch item, from 0; nil for other requests.
    var item: Int?
    /// The requested content type, content length and lifetime.
    var contentType: String?
    var contentLength: Int64?
    var requestedExpiry: Int64?
    /// The unmet constraints.
    var unmet: [FieldFailure] = []
    /// The caller's groups that match grants of the deciding rule.
    var groups: [[UInt8]] = []
    var signed: Signed?

    /// - Parameter revision: the revision of the configuration that decides.
    init(_ headers: HTTPHeaders, revision: String) {
        self.revision = revision
        // The headers point into a buffer that the event loop reuses.
        userAgent = headers.first(.userAgent).map { Array($0.prefix(Self.maximumUserAgentLength)) }
    }
}

extension AccessPolicy {
    /// Returns the caller's groups that match grants of the deciding rule.
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
