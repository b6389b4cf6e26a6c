import AccessRules
import Cryptography
import DataFormats
import HTTP1
import HTTPServer
import Presigning
import Requests
import System
import Telemetry
import Text

/// One line of the audit. Values sent by callers are escaped as JSON strings, so they cannot forge lines or members.
///
/// It never contains an API key, a token, a signature, a URL, or a header other than the user agent.
struct AuditLine {
    /// The kinds of events, named after the OWASP Logging Vocabulary where it has a name.
    enum Event {
        case presign, share, stored, authenticationFailed, authorizationFailed, rateLimited, invalidInput

        /// - Parameter code: the problem's code; nil without a problem.
        init(status: Int, code: ProblemCode?) {
            switch (status, code) {
            case (429, _): self = .rateLimited
            case (403, _), (422, _): self = .authorizationFailed
            case (401, _), (400, .credentialsAmbiguous), (400, .proxyHeaders): self = .authenticationFailed
            case (_, .shareEnded): self = .authorizationFailed
            case (_, .shareInvalid): self = .authenticationFailed
            case (400, _), (413, _), (415, _): self = .invalidInput
            default: self = .presign
            }
        }

        var text: StaticString {
            switch self {
            case .presign: "presign"
            case .share: "share"
            case .stored: "stored"
            case .authenticationFailed: "authn_fail"
            case .authorizationFailed: "authz_fail"
            case .rateLimited: "rate_limited"
            case .invalidInput: "input_validation_fail"
            }
        }
    }

    private static let maximumTextLength = 256
    private static let maximumGroups = 16

    let configuration: AuditConfiguration
    /// The revision of the configuration that decided.
    let revision: String

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameter time: the current time in RFC 3339 format.
    func append(_ record: RequestRecord, at time: Span<UInt8>, to line: inout ByteBuffer) {
        let status = record.status
        // The rules refuse a guest with 401 instead of 403, because credentials may help.
        let isRefusedGuest = status == 401 && record.caller != nil
        var event = isRefusedGuest ? Event.authorizationFailed : Event(status: status, code: record.code)
        if event == .presign, record.route == .presign, record.share != nil { event = .share }
        if event == .presign, status < 400, record.signed == nil { event = .stored }
        line.append(#"{"time":""#)
        line.append(time)
        line.append(#"","event":""#)
        line.append(event.text)
        line.append(#"","outcome":""#)
        line.append(status < 400 ? "allowed" : status < 500 ? "refused" : "failed")
        line.append(UInt8(ascii: "\""))
        line.appendMember("status", status)
        if let code = record.code { line.appendMember("code", code.text.utf8.span) }
        if let reason = record.reason { line.appendMember("reason", reason.utf8.span) }
        if !record.unmet.isEmpty { list("unmet", record.unmet.map { Array($0.description.utf8) }, to: &line) }
        line.appendMember("requestId", record.requestID.bytes.span)
        if let trace = record.trace { line.appendMember("traceparent", trace.text.span) }
        if let item = record.item { line.appendMember("item", item) }
        appendCaller(record, to: &line)
        appendRequest(record, to: &line)
        if let share = record.share {
            line.appendMember("share", share.id.span)
            line.appendMember("shareExpiresAt", share.expiresAt.rfc3339Text)
        }
        if let signed = record.signed, status < 400 { append(signed, of: record, to: &line) }
        line.appendMember("configRevision", revision.utf8.span)
        line.appendMember("durationMicroseconds", Int(record.duration / 1000))
        line.append("}\n")
    }

    private func appendCaller(_ record: RequestRecord, to line: inout ByteBuffer) {
        if let caller = record.caller {
            line.appendMember("scheme", caller.scheme.rawValue.utf8.span)
            if let id = caller.apiKeyID { line.appendMember("apiKey", id.span) }
            if let identity = caller.identity {
                text("identity", identity.span, hashed: configuration.hashesIdentities, to: &line)
            }
            if let token = caller.token { append(token, to: &line) }
            if !record.groups.isEmpty { list("groups", record.groups, to: &line) }
        }
        if let peer = record.peer { line.appendMember("peer", peer) }
        if let client = record.relayed { line.appendMember("client", client) }
        if let agent = record.userAgent { line.appendMember("userAgent", agent.span) }
    }

    private func append(_ token: Caller.Token, to line: inout ByteBuffer) {
        line.appendMember("iss", token.issuer.span)
        if let subject = token.subject {
            text("sub", subject.span, hashed: configuration.hashesIdentities, to: &line)
        }
        if let id = token.keyID { line.appendMember("kid", id.span) }
        if let id = token.tokenID { line.appendMember("jti", id.span) }
    }

    private func appendRequest(_ record: RequestRecord, to line: inout ByteBuffer) {
        record.appendStore(to: &line)
        if let action = record.operation?.traits.action { line.appendMember("action", action.name.utf8.span) }
        if let key = record.key {
            let shown = key.span.extracting(first: S3Limits.key)
            text("key", shown, hashed: configuration.hashesKeys, to: &line)
        }
        if let rule = record.rule { line.appendMember("rule", rule.description) }
        if let type = record.contentType {
            line.appendMember("contentType", type.utf8.span.extracting(first: Self.maximumTextLength))
        }
        if let length = record.contentLength { line.appendMember("contentLength", Int(length)) }
        if let expiry = record.requestedExpiry { line.appendMember("requestedExpiresIn", Int(expiry)) }
    }

    private func append(_ signed: RequestRecord.Signed, of record: RequestRecord, to line: inout ByteBuffer) {
        if let bucket = record.store?.configuration.bucket.name { line.appendMember("bucket", bucket) }
        if record.operation == .postObject { line.append(#","form":true"#) }
        line.appendMember("accessKeyId", signed.accessKeyID.utf8.span)
        line.appendMember("expiresIn", signed.expiresIn)
        line.appendMember("expiresAt", signed.expiresAt.rfc3339Text)
        if let limit = signed.limitedBy { line.appendMember("limitedBy", limit.rawValue.utf8.span) }
    }

    /// Appends a value or its SHA-256. Equal values have equal hashes, so lines can be joined; a guessed value can be
    /// verified.
    private func text(
        _ name: StaticString, _ value: Span<UInt8>, hashed: Bool, to line: inout ByteBuffer
    ) {
        guard hashed else { return line.appendMember(name, value) }
        line.appendName(name)
        line.append(#""sha256:"#)
        line.append(hexadecimal: SHA256.hash(value).storage.span)
        line.append(UInt8(ascii: "\""))
    }

    private func list(_ name: StaticString, _ values: [[UInt8]], to line: inout ByteBuffer) {
        line.appendName(name)
        line.append(UInt8(ascii: "["))
        for (index, value) in values.prefix(Self.maximumGroups).enumerated() {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            line.appendJSON(string: value.span.extracting(first: Self.maximumTextLength))
        }
        line.append(UInt8(ascii: "]"))
    }
}
