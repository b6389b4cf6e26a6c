import AccessRules
import DataFormats
import HTTP1
import Presigning
import System
package import Telemetry
import Text

/// What is known of one request, for its line in the log, its line in the audit, and the metrics. It starts with what the
/// head says; each stage's result is added where the stage is called. Holds no URL, signature, key or token.
package struct RequestRecord: Sendable {
    let requestID: RequestID
    /// Nil of a request that was refused before its request line was understood, and its path too.
    let method: HTTPMethod?
    let path: [UInt8]?
    /// Nil of refusals that are made for many.
    let peer: PeerAddress?
    /// When the bytes that completed it arrived; before that, when its head did.
    var started: MonotonicTime
    /// Its place in a distributed trace, if the caller gave one.
    var trace: TraceContext?
    var route = Route.other
    /// Whether it counts in the metrics.
    var isCounted = true
    /// Whether it has a line of its own in the log.
    var isLogged = true
    /// The client's address as a trusted proxy gave it.
    var relayed: PeerAddress?
    /// Who calls.
    var caller: Caller?
    /// How it stands to its rate limit, if it has one.
    var rateLimit: RateLimitStatus?
    /// Where the object is.
    var store: Store?
    /// The name that was given for a store and is not one.
    var unknownStore: [UInt8]?
    var action: AccessAction?
    /// The object's path as asked for.
    var key: [UInt8]?
    /// The deciding rule, with its place in the configuration.
    var rule: RuleReference?
    /// What was signed, if anything was.
    var operation: AWSS3SigningOperation?
    /// The code of the problem that it was refused with.
    var code: ProblemCode?
    /// Why the request was refused; for operators, never for the caller.
    var reason: String?
    /// What only the audit says; nil for what is no decision, and while the audit is off.
    var audit: AuditContext?

    /// The address that sent the request: the peer's, or the one that a trusted proxy gives.
    var client: PeerAddress { relayed ?? peer ?? .unix }

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameters:
    ///   - time: now, in the form of RFC 3339.
    ///   - ended: now.
    func appendLine(status: Int, at time: Span<UInt8>, ended: MonotonicTime, to line: inout [UInt8]) {
        line.append(#"{"time":""#)
        line.append(time)
        line.append(#"","requestId":""#)
        requestID.append(to: &line)
        if let trace { line.append(trace) }
        line.append(UInt8(ascii: "\""))
        if let method {
            line.append(#","method":""#)
            // A token may hold no quote and no backslash.
            method.append(to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let path {
            line.append(#","path":"#)
            line.appendJSON(string: path.span.extracting(first: Self.longestPath))
        }
        if let peer {
            line.append(#","peer":""#)
            peer.append(to: &line)
            line.append(UInt8(ascii: "\""))
        }
        if let relayed {
            line.append(#","client":""#)
            relayed.append(to: &line)
            line.append(UInt8(ascii: "\""))
        }
        appendDecision(to: &line)
        line.append(#","status":"#)
        line.append(decimal: status)
        line.append(#","durationMicroseconds":"#)
        line.append(decimal: Int((ended.nanoseconds - started.nanoseconds) / 1000))
        line.append("}\n")
    }

    private func appendDecision(to line: inout [UInt8]) {
        if let caller {
            line.append(#","caller":"#)
            line.appendJSON(string: caller.label)
        }
        appendStore(to: &line)
        if let action { line.appendMember("action", action.name) }
        if let key { line.appendMember("key", key.span.extracting(first: ObjectKeyCheck.maximumLength)) }
        if let rule { line.appendMember("rule", rule.description) }
        if let reason { line.appendMember("reason", reason) }
    }

    /// Appends the store as a member of a JSON object, with a comma before it; nothing where none was asked for.
    func appendStore(to line: inout [UInt8]) {
        if let store { line.appendMember("store", store.configuration.name) }
        if let unknownStore { line.appendMember("store", unknownStore.span.extracting(first: Self.longestStore)) }
    }

    static let longestPath = 256
    private static let longestStore = 64
}

extension [UInt8] {
    /// Appends `","traceparent":"` and the value, behind a text that it ends and within one that is to be ended.
    package mutating func append(_ trace: borrowing TraceContext) {
        append(#"","traceparent":""#)
        append(trace.text.span)
    }
}
