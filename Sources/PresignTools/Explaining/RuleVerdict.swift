package import AccessRules
package import DataFormats
import PresignService
import Text

/// What the rules make of one request, as far as they alone decide: the status, and the exact reason.
package struct RuleVerdict: Sendable {
    /// The HTTP status that the service would answer with.
    package let status: Int
    /// The rule or denial that decided, if one did.
    package let rule: RuleReference?
    /// `path`, `no-rule`, `no-grant`, `deny:PATTERN`, `no-guests`, `no-key`, or `expiresIn` or
    /// `contentLength` for what no URL or object can have;
    /// nil when the request is allowed, or when only `fields` are to blame.
    package let reason: String?
    /// The fields to blame: the limits that are not met, `path`, or `expiresIn`.
    package let fields: [String]
    /// Seconds the URL would live, unless the storage credentials end before; nil when the request is refused.
    package let expiresIn: Int64?
    /// Whether `if-none-match: *` would be signed; nil when the request is refused. For a multipart upload without a
    /// step: whether its completion would.
    package let ifNoneMatch: Bool?
    /// What else to know; nil for nothing.
    package let note: String?

    /// Whether the request is allowed.
    package var isAllowed: Bool { status == 200 }

    /// - Parameter request: the request that was decided.
    package init(_ decision: AccessDecision, of request: AccessRequest) {
        let refusal = Refusal(decision, of: request)
        status = refusal?.problem.status ?? 200
        rule = decision.rule
        switch decision {
        case .unmet(let unmet, _): (reason, fields) = (nil, unmet.map(\.field))
        case .denied, .allowed: (reason, fields) = (refusal?.reason, refusal?.problem.errors.map(\.field) ?? [])
        }
        if case .allowed(let allowance) = decision {
            (expiresIn, ifNoneMatch) = (allowance.expiresIn, allowance.requiresIfNoneMatch)
        } else {
            (expiresIn, ifNoneMatch) = (nil, nil)
        }
        note = request.action.hasOperation ? nil : "no operation of the service needs `\(request.action.name)` yet"
    }

    /// The answer to a guest where no guests are let in, before any rule is asked.
    static let noGuests = RuleVerdict(status: 401, reason: "no-guests")

    /// The answer to a declared length that no object can have.
    static let impossibleLength = RuleVerdict(status: 400, reason: "contentLength", fields: ["contentLength"])

    /// The answer to an API key that is not there or is disabled.
    static let noKey = RuleVerdict(status: 401, reason: "no-key")

    private init(status: Int, reason: String, fields: [String] = []) {
        (self.status, self.reason, self.fields) = (status, reason, fields)
        (rule, expiresIn, ifNoneMatch, note) = (nil, nil, nil, nil)
    }

    /// One JSON object and a line feed. `reason` is a text, or the list of the limits that are not met.
    ///
    /// - Parameter id: repeated from the request, if it has one.
    package func json(id: JSONValue?) -> [UInt8] {
        var line = Array("{".utf8)
        if let id {
            line.append(#""id":"#)
            line.appendJSON(id)
            line.append(",")
        }
        line.append(#""status":"#)
        line.append(decimal: status)
        line.append(#","rule":"#)
        line.appendJSON(rule.map { .string(Array($0.pattern.utf8)) } ?? .null)
        if let rule { line.appendMember("at", "\(rule.position)") }
        let list = JSONValue.array(fields.map { .string(Array($0.utf8)) })
        line.append(#","reason":"#)
        line.appendJSON(reason.map { .string(Array($0.utf8)) } ?? (fields.isEmpty ? .null : list))
        line.append(#","fields":"#)
        line.appendJSON(list)
        if let expiresIn {
            line.append(#","expiresIn":"#)
            line.append(decimal: Int(expiresIn))
        }
        if let ifNoneMatch {
            line.append(#","ifNoneMatch":"#)
            line.appendJSON(ifNoneMatch)
        }
        if let note { line.appendMember("note", note) }
        line.append("}\n")
        return line
    }
}
