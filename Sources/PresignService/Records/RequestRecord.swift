import AccessRules
import DataFormats
import HTTP1
import Presigning
import System
import Telemetry
import Text

/// What is known about one request, for its log line, its audit line and the metrics. Filled from the head and then by
/// each stage. Contains no signed URL, signature, API key or token.
package struct RequestRecord: Sendable {
    let requestID: RequestID
    /// Nil, as is the path, if the request line could not be parsed.
    let method: HTTPMethod?
    let path: [UInt8]?
    /// Nil for cached refusals, which go to many clients.
    let peer: PeerAddress?
    /// When the request was complete; until then, when its head arrived.
    var started: MonotonicTime
    /// The caller's trace context, if any.
    var trace: TraceContext?
    var route = Route.other
    /// Whether the metrics count it.
    var isCounted = true
    /// Whether it is written to the request log.
    var isLogged = true
    /// The client's address reported by a trusted proxy.
    var relayed: PeerAddress?
    /// The caller; nil until authenticated.
    var caller: Caller?
    /// The caller's rate limit; nil if it has none.
    var rateLimit: RateLimitStatus?
    /// The object's store.
    var store: Store?
    /// The requested store name, if it is not configured.
    var unknownStore: [UInt8]?
    var action: AccessAction?
    /// The object's path as requested.
    var key: [UInt8]?
    /// The deciding rule, with its position in the configuration.
    var rule: RuleReference?
    /// The signed operation; nil if nothing was signed.
    var operation: AWSS3SigningOperation?
    /// The code of the problem; nil if the request was not refused.
    var code: ProblemCode?
    /// The reason of a refusal for the operator; never sent to the client.
    var reason: String?
    /// The additional data of the audit; nil for routes without a decision, and while the audit is off.
    var audit: AuditContext?

    /// The client's address: reported by a trusted proxy, else the peer's.
    var client: PeerAddress { relayed ?? peer ?? .unix }

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameters:
    ///   - time: the current time in RFC 3339 format.
    ///   - ended: the current time of the monotonic clock.
    func appendLine(status: Int, at time: Span<UInt8>, ended: MonotonicTime, to line: inout [UInt8]) {
        line.append(#"{"time":""#)
        line.append(time)
        line.append(UInt8(ascii: "\""))
        line.appendMember("requestId", requestID.bytes.span)
        if let trace { line.appendMember("traceparent", trace.text.span) }
        if let method {
            line.append(#","method":""#)
            // An HTTP token contains no quote or backslash, so it needs no escaping.
            method.append(to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let path { line.appendMember("path", path.span.extracting(first: Self.maximumPathLength)) }
        if let peer { line.appendMember("peer", peer) }
        if let relayed { line.appendMember("client", relayed) }
        appendDecision(to: &line)
        line.appendMember("status", status)
        line.appendMember("durationMicroseconds", Int((ended.nanoseconds - started.nanoseconds) / 1000))
        line.append("}\n")
    }

    private func appendDecision(to line: inout [UInt8]) {
        if let label = caller?.label { line.appendMember("caller", label.span) }
        appendStore(to: &line)
        if let action { line.appendMember("action", action.name) }
        if let key { line.appendMember("key", key.span.extracting(first: ObjectKeyCheck.maximumLength)) }
        if let rule = rule?.description { line.appendMember("rule", rule) }
        if let reason { line.appendMember("reason", reason) }
    }

    /// Appends a comma and the member `store`; nothing if no store is known.
    func appendStore(to line: inout [UInt8]) {
        if let name = store?.configuration.name { line.appendMember("store", name) }
        if let unknownStore { line.appendMember("store", unknownStore.span.extracting(first: Self.maximumStoreLength)) }
    }

    static let maximumPathLength = 256
    private static let maximumStoreLength = 64
}

extension [UInt8] {
    /// Appends `,"name":"address"`.
    mutating func appendMember(_ name: StaticString, _ address: PeerAddress) {
        appendName(name)
        append(UInt8(ascii: "\""))
        address.append(to: &self)
        append(UInt8(ascii: "\""))
    }
}
