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
    private static let maximumTextLength = 256

    let configuration: AuditConfiguration
    /// The revision of the configuration that decided.
    let revision: String

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameter time: the current time in RFC 3339 format.
    func append(_ record: RequestRecord, at time: Span<UInt8>, to line: inout ByteBuffer) {
        let status = record.status
        line.append(#"{"time":""#)
        line.append(time)
        line.append(#"","event":""#)
        line.append(event(of: record))
        line.append(#"","outcome":""#)
        line.append(status < 400 ? "allowed" : status < 500 ? "refused" : "failed")
        line.append(ASCII.quote)
        line.appendMembers { line in
            line.member("status", status)
            line.member("code", record.code?.text)
            line.member("reason", record.reason)
            line.member("unmet", bounded: record.unmet.map { Array($0.description.utf8) })
            line.member("requestId", record.requestID.bytes.span)
            if let trace = record.trace { line.member("traceparent", trace.text.span) }
            line.member("item", record.item)
            appendCaller(record, to: &line)
            appendRequest(record, to: &line)
            line.member("share", record.share?.id)
            line.member("shareExpiresAt", record.share?.expiresAt.rfc3339Text)
            if let signed = record.signed, status < 400 { append(signed, of: record, to: &line) }
            line.member("configRevision", revision)
            line.member("durationMicroseconds", record.duration / 1000)
        }
        line.append("}\n")
    }

    /// The name of the event, that of the OWASP Logging Vocabulary where it has one.
    private func event(of record: RequestRecord) -> StaticString {
        switch (record.status, record.code) {
        // The rules refuse a guest with 401 instead of 403, because credentials may help.
        case (401, _) where record.caller != nil: "authz_fail"
        case (403, _), (_, .constraint), (_, .shareEnded): "authz_fail"
        case (401, _), (400, .credentialsAmbiguous), (400, .proxyHeaders), (_, .shareInvalid): "authn_fail"
        case (429, _): "rate_limited"
        case (400, _), (411, _), (413, _), (415, _): "input_validation_fail"
        case _ where record.route == .presign && record.share != nil: "share"
        case (..<400, _) where record.signed == nil: "stored"
        default: "presign"
        }
    }

    private func appendCaller(_ record: RequestRecord, to line: inout JSONWriter) {
        if let caller = record.caller {
            line.member("scheme", caller.scheme.rawValue)
            line.member("apiKey", caller.apiKeyID)
            text("identity", caller.identity, hashed: configuration.hashesIdentities, to: &line)
            if let token = caller.token { append(token, to: &line) }
            line.member("groups", bounded: record.groups)
        }
        line.member("peer", record.peer)
        line.member("client", record.relayed)
        line.member("userAgent", record.userAgent)
    }

    private func append(_ token: Caller.Token, to line: inout JSONWriter) {
        line.member("iss", token.issuer)
        text("sub", token.subject, hashed: configuration.hashesIdentities, to: &line)
        line.member("kid", token.keyID)
        line.member("jti", token.tokenID)
    }

    private func appendRequest(_ record: RequestRecord, to line: inout JSONWriter) {
        record.appendStore(to: &line)
        line.member("action", record.action?.name)
        text("key", record.key, first: S3Limits.key, hashed: configuration.hashesKeys, to: &line)
        line.member("rule", record.rule?.description)
        if let type = record.request.declaredType {
            line.member("contentType", type.utf8.span.extracting(first: Self.maximumTextLength))
        }
        line.member("contentLength", record.request.declaredLength)
        line.member("requestedExpiresIn", record.request.declaredLifetime)
    }

    private func append(_ signed: RequestRecord.Signed, of record: RequestRecord, to line: inout JSONWriter) {
        line.member("bucket", record.store?.configuration.bucket.name)
        if record.operation == .postObject { line.member("form", true) }
        line.member("accessKeyId", signed.accessKeyID)
        line.member("expiresIn", signed.expiresIn)
        line.member("expiresAt", signed.expiresAt.rfc3339Text)
        line.member("limitedBy", signed.limitedBy?.rawValue)
    }

    /// Appends a value or its SHA-256. Equal values have equal hashes, so lines can be joined; a guessed value can be
    /// verified.
    private func text(
        _ name: StaticString, _ value: [UInt8]?, first count: Int = .max, hashed: Bool, to line: inout JSONWriter
    ) {
        guard let value else { return }
        let shown = value.span.extracting(first: count)
        guard hashed else { return line.member(name, shown) }
        let digest = SHA256.hash(shown)
        line.member(name) { line in
            line.append(#""sha256:"#)
            line.append(hexadecimal: digest.storage.span)
            line.append(ASCII.quote)
        }
    }
}
