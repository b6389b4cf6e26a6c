package import AccessRules
package import DataFormats
import PresignService
import Presigning
import Requests
import Text

/// The decision of the access rules on one request, with the status and the exact reason.
package struct RuleVerdict: Sendable {
    /// The HTTP status of the response of the service.
    package let status: Int
    /// The rule or denial that decided; nil if none did.
    package let rule: RuleReference?
    /// `path`, `no-rule`, `no-grant`, `deny:PATTERN`, `listing-off`, `no-guests`, `no-key`, or `expiresIn` or
    /// `contentLength` for a value that no URL or object can have; nil if the request is allowed, or if limits are the
    /// only reason (see `fields`).
    package let reason: String?
    /// The fields that caused the refusal: those with unmet limits, `path`, `prefix`, or `expiresIn`.
    package let fields: [String]
    /// The grant that allows the request; nil if it is refused.
    private(set) var grant: AccessRule.Grant?
    /// Lifetime of the URL in seconds, unless the storage credentials expire earlier; nil if the request is refused.
    package private(set) var expiresIn: Int64?
    /// For how many seconds the URL stays the same, and how much longer than `expiresIn` it can live; nil without a
    /// window.
    package private(set) var window: Int64?
    /// Whether `if-none-match: *` is signed; nil if the request is refused. For a multipart upload without a step:
    /// whether its completion signs it.
    package private(set) var ifNoneMatch: Bool?
    /// The headers that the rule adds besides `if-none-match`; for a multipart upload without a step, to its creation.
    package private(set) var addedHeaders: [(name: String, value: String)] = []
    /// A remark, if any.
    package let note: String?

    /// Whether the request is allowed.
    package var isAllowed: Bool { status == 200 }

    /// Returns the verdict of a decision.
    ///
    /// - Parameters:
    ///   - request: the request that was decided.
    ///   - storage: the service that stores the object, if its limits are known.
    static func of(_ decision: AccessDecision, on request: PresignRequest, for storage: KnownProvider?) -> RuleVerdict {
        guard case .allowed(let allowance) = decision, let failure = request.failure(at: storage) else {
            return RuleVerdict(decision, of: request)
        }
        return RuleVerdict(
            status: 422, reason: nil, fields: [failure.field], rule: allowance.rule.reference, note: failure.description
        )
    }

    /// Creates the verdict of the rules alone.
    ///
    /// - Parameter request: the request that was decided.
    private init(_ decision: AccessDecision, of request: PresignRequest) {
        let refusal = Refusal(decision, of: request)
        status = refusal?.problem.status ?? 200
        rule = decision.rule
        switch decision {
        case .unmet(let unmet, _): (reason, fields) = (nil, unmet.map(\.field))
        case .denied, .allowed: (reason, fields) = (refusal?.reason, refusal?.problem.errors.map(\.field) ?? [])
        }
        if case .allowed(let allowance) = decision {
            (grant, expiresIn, ifNoneMatch) = (allowance.grant, allowance.expiresIn, allowance.requiresIfNoneMatch)
            window = allowance.window > 0 ? allowance.window : nil
            let algorithm = allowance.checksumAlgorithm.map { [(name: "x-amz-checksum-algorithm", value: $0.name)] }
            addedHeaders = UploadSetting.headers(of: allowance.settings) + (algorithm ?? [])
        }
        note =
            request.action == .list && !request.isListing
            ? "this decides `list` for one key; end the path in / to decide a listing" : nil
    }

    /// The verdict on a guest if guests are not allowed; no rule is evaluated.
    static let noGuests = RuleVerdict(status: 401, reason: "no-guests")

    /// The verdict on a declared length that no object can have.
    static let impossibleLength = RuleVerdict(status: 400, reason: "contentLength", fields: ["contentLength"])

    /// The verdict on an API key that is missing or disabled.
    static let noKey = RuleVerdict(status: 401, reason: "no-key")

    /// The verdict on a share link if no key seals links.
    static let noShares = RuleVerdict(status: 404, reason: "no-shares")

    private init(status: Int, reason: String?, fields: [String] = [], rule: RuleReference? = nil, note: String? = nil) {
        (self.status, self.reason, self.fields, self.rule, self.note) = (status, reason, fields, rule, note)
    }

    /// Returns a JSON object and a line feed. `reason` is a string, or the list of the fields with unmet limits.
    ///
    /// - Parameter id: the `id` of the request, if any.
    package func json(id: JSONValue?) -> [UInt8] {
        let list = JSONValue.array(fields.map { .string(Array($0.utf8)) })
        var line = ByteBuffer()
        line.appendObject { json in
            json.member("id", id)
            json.member("status", status)
            json.member("rule", rule.map { .string(Array($0.pattern.utf8)) } ?? .null)
            json.member("at", (rule?.position).map { "\($0)" })
            json.member("reason", reason.map { .string(Array($0.utf8)) } ?? (fields.isEmpty ? .null : list))
            json.member("fields", list)
            json.member("expiresIn", expiresIn)
            json.member("window", window)
            json.member("ifNoneMatch", ifNoneMatch)
            if !addedHeaders.isEmpty {
                json.object("headers") { json in
                    for header in addedHeaders { json.member(named: header.name.utf8.span, header.value.utf8.span) }
                }
            }
            json.member("note", note)
        }
        line.append("\n")
        return line.bytes
    }
}

/// Decides JSON Lines: one question and one verdict per line.
package struct LineDecider: Sendable {
    private let file: PolicyFile
    /// The number of invalid lines.
    package private(set) var failures = 0

    /// - Parameter file: the rules that decide.
    package init(_ file: PolicyFile) {
        self.file = file
    }

    /// Returns the verdict `{status, rule, reason, fields, ...}`, or `{"error"}`, with a line feed.
    package mutating func response(to line: ArraySlice<UInt8>) -> [UInt8] {
        do throws(FieldFailure) {
            let question = try RuleQuestion(parsing: line)
            return file.verdict(on: question.request).json(id: question.id)
        } catch {
            failures += 1
            var response = ByteBuffer()
            response.appendObject {
                $0.member("id", RuleQuestion.id(of: line))
                $0.member("error", error.description)
            }
            response.append("\n")
            return response.bytes
        }
    }
}
