import Bytes
import CryptoHashing
import HTTPServing
import Presigning

/// One line of the audit. Whatever a caller sent is written as a JSON string, so that it stays one value of one line.
///
/// It never holds a key, a token, a signature, a URL, or a header other than the user agent.
struct AuditLine {
    /// The kinds of events; the words of the OWASP logging vocabulary, where it has one.
    enum Event: String {
        case presign = "presign"
        case authenticationFailed = "authn_fail"
        case authorizationFailed = "authz_fail"
        case rateLimited = "rate_limited"
        case invalidInput = "input_validation_fail"

        /// - Parameter code: the problem's; nil when there was none.
        init(status: Int, code: String?) {
            switch (status, code) {
            case (429, _): self = .rateLimited
            case (403, _), (422, _): self = .authorizationFailed
            case (401, _), (400, "credentials-ambiguous"), (400, "proxy-headers"): self = .authenticationFailed
            case (400, _), (413, _), (415, _): self = .invalidInput
            default: self = .presign
            }
        }
    }

    private static let longestStore = 64
    private static let longestText = 256
    private static let mostGroups = 16

    let configuration: AuditConfiguration

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameter time: now, in the form of RFC 3339.
    func append(
        _ record: borrowing RequestRecord, _ facts: AuditFacts, status: Int, at time: [UInt8], to line: inout [UInt8]
    ) {
        // A guest that the rules refuse may come back with credentials, so that it is a 401 as well.
        let isRefusedGuest = status == 401 && record.caller != nil
        let event = isRefusedGuest ? Event.authorizationFailed : Event(status: status, code: facts.code)
        line.append(#"{"time":""#)
        line.append(time.span)
        line.append(#"","event":""#)
        line.append(event.rawValue.utf8.span)
        line.append(#"","outcome":""#)
        line.append(status < 400 ? "allowed" : status < 500 ? "refused" : "failed")
        line.append(#"","status":"#)
        line.append(decimal: status)
        member("code", facts.code, to: &line)
        member("reason", record.reason, to: &line)
        if !facts.unmet.isEmpty {
            list("unmet", facts.unmet.map { Array($0.description.utf8) }, to: &line)
        }
        line.appendMember("requestId", record.requestID.bytes.span)
        appendCaller(record, facts, to: &line)
        appendRequest(record, facts, to: &line)
        if let signed = facts.signed, status < 400 { append(signed, to: &line) }
        line.appendMember("configRevision", facts.revision)
        number("durationMicroseconds", (MonotonicTime.now().nanoseconds - record.started.nanoseconds) / 1000, to: &line)
        line.append("}\n")
    }

    private func appendCaller(_ record: borrowing RequestRecord, _ facts: AuditFacts, to line: inout [UInt8]) {
        if let caller = record.caller {
            member("scheme", caller.scheme.rawValue, to: &line)
            if let id = caller.apiKeyID { text("apiKey", id, to: &line) }
            if let identity = caller.identity {
                text("identity", identity, hashed: configuration.hashesIdentities, to: &line)
            }
            if let token = caller.token {
                text("iss", token.issuer, to: &line)
                if let subject = token.subject {
                    text("sub", subject, hashed: configuration.hashesIdentities, to: &line)
                }
                if let id = token.keyID { text("kid", id, to: &line) }
                if let id = token.tokenID { text("jti", id, to: &line) }
            }
            if !facts.groups.isEmpty { list("groups", facts.groups, to: &line) }
        }
        if let peer = record.peer { member("peer", peer.description, to: &line) }
        if let client = record.relayed { member("client", client.description, to: &line) }
        if let agent = facts.userAgent { text("userAgent", agent, to: &line) }
    }

    private func appendRequest(_ record: borrowing RequestRecord, _ facts: AuditFacts, to line: inout [UInt8]) {
        if let store = record.store { text("store", Array(store.prefix(Self.longestStore)), to: &line) }
        if let action = record.action { member("action", action.name, to: &line) }
        if let key = record.key {
            text("key", Array(key.prefix(ObjectKeyCheck.maximumLength)), hashed: configuration.hashesKeys, to: &line)
        }
        if let rule = record.rule {
            line.append(#","rule":"#)
            let json = rule.json
            line.append(json.span)
        }
        if let type = facts.contentType { text("contentType", Array(type.utf8.prefix(Self.longestText)), to: &line) }
        if let length = facts.contentLength { number("contentLength", Int(length), to: &line) }
        if let expiry = facts.requestedExpiry { number("requestedExpiresIn", Int(expiry), to: &line) }
    }

    private func append(_ signed: AuditFacts.Signed, to line: inout [UInt8]) {
        member("bucket", signed.bucket, to: &line)
        member("accessKeyId", signed.accessKeyID, to: &line)
        number("expiresIn", signed.expiresIn, to: &line)
        member("expiresAt", signed.expiresAt.rfc3339Text, to: &line)
        member("limitedBy", signed.limitedBy?.rawValue, to: &line)
    }

    private func member(_ name: StaticString, _ value: String?, to line: inout [UInt8]) {
        if let value { line.appendMember(name, value) }
    }

    private func number(_ name: StaticString, _ value: some BinaryInteger, to line: inout [UInt8]) {
        line.append(#",""#)
        line.append(name)
        line.append(#"":"#)
        line.append(decimal: Int(value))
    }

    private func text(_ name: StaticString, _ value: [UInt8], hashed: Bool = false, to line: inout [UInt8]) {
        let shown = hashed ? Self.hash(of: value) : value
        line.appendMember(name, shown.span)
    }

    private func list(_ name: StaticString, _ values: [[UInt8]], to line: inout [UInt8]) {
        line.append(#",""#)
        line.append(name)
        line.append(#"":["#)
        for (index, value) in values.prefix(Self.mostGroups).enumerated() {
            if index > 0 { line.append(",") }
            line.appendJSON(string: Array(value.prefix(Self.longestText)))
        }
        line.append("]")
    }

    /// The same for the same value, so that lines can be joined; whoever can guess the value can check the guess.
    private static func hash(of value: [UInt8]) -> [UInt8] {
        Array("sha256:\(Hexadecimal.encode(SHA256.hash(value).bytes))".utf8)
    }
}

/// Writes the lines of decisions that are not answered one by one, the items of a batch.
struct Auditor: Sendable {
    private let stream: AuditStream
    private var buffer: LogLineBuffer

    /// Nil when the audit is off.
    init?(_ stream: AuditStream?, _ buffer: LogLineBuffer) {
        guard let stream else { return nil }
        self.stream = stream
        self.buffer = buffer.another()
    }

    /// - Parameter problem: why there is no URL; nil when there is one.
    mutating func append(_ record: borrowing RequestRecord, _ problem: Problem?) {
        var record = record.detached()
        record.reason = problem.map { record.reason ?? $0.code }
        if let problem { record.audit?.note(problem) }
        stream.append(record, status: problem?.status ?? 200, with: &buffer)
    }
}

extension AuditStream {
    /// Writes the line of a decision; nothing for a request that is none.
    ///
    /// - Parameters:
    ///   - status: what it was answered with.
    ///   - buffer: of the loop, or of the answer that comes later.
    func append(_ record: borrowing RequestRecord, status: Int, with buffer: inout LogLineBuffer) {
        guard let facts = record.audit, let lane = buffer.auditLane else { return }
        let time = buffer.text(of: ServiceHandler.now())
        buffer.line.removeAll(keepingCapacity: true)
        AuditLine(configuration: configuration).append(record, facts, status: status, at: time, to: &buffer.line)
        append(buffer.line.span, to: lane)
    }
}
