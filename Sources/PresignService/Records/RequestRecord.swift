import AccessRules
import DataFormats
import HTTP1
import System
package import Telemetry
import Text

/// What one request came to, for its line in the log. Holds no URL, signature, key or token.
///
/// It is not to be copied: it holds much that is counted, and there is one for each request.
package struct RequestRecord: ~Copyable {
    private(set) var requestID: RequestID
    /// Nil of a request that was refused before its request line was understood, and its path too.
    let method: HTTPMethod?
    var path: ArraySlice<UInt8>?
    /// Nil of the refusals that are made for many.
    let peer: PeerAddress?
    let started: MonotonicTime
    /// Its place in a distributed trace, if the caller gave one.
    var trace: TraceContext?
    /// What it asks for, as metrics name it.
    var route = Route.other
    /// Whether it counts as one in the metrics.
    var isCounted = true
    /// Whether it has a line of its own in the log.
    var isLogged = true
    /// The client's address as a trusted proxy gave it.
    var relayed: PeerAddress?
    /// Who calls.
    var caller: Caller?
    /// Where the object is.
    var store: Store?
    /// What was asked for as a store and is none.
    var unknownStore: [UInt8]?
    var action: AccessAction?
    /// The object's path as asked for.
    var key: [UInt8]?
    /// The deciding rule, with its place in the configuration.
    var rule: RuleReference?
    /// How the request stands to its limit, for a client that is told of it.
    var quota: RateLimitStatus?
    /// Why the request was refused; for operators, never for the caller.
    var reason: String?
    /// What only the audit says; nil for what is no decision, and while the audit is off.
    var audit: AuditFacts?

    /// Who sent the request: the peer, or whom a trusted proxy speaks for.
    var client: PeerAddress { relayed ?? peer ?? .unix }

    /// Gives up what its answer has of it: it is moved there, while to share it would count it.
    mutating func takeFields() -> HTTPFields { requestID.takeFields() }

    /// The same, holding none of the memory that the request was received in.
    func detached() -> RequestRecord {
        RequestRecord(
            requestID: requestID, method: method, path: path.map { ArraySlice(Array($0)) }, peer: peer,
            started: started, trace: trace, route: route, isCounted: isCounted, isLogged: isLogged,
            relayed: relayed, caller: caller, store: store, unknownStore: unknownStore, action: action, key: key,
            rule: rule, quota: quota, reason: reason, audit: audit)
    }

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameters:
    ///   - time: now, in the form of RFC 3339.
    ///   - ended: now.
    func appendLine(status: Int, at time: Span<UInt8>, ended: MonotonicTime, to line: inout [UInt8]) {
        line.append(addingCapacity: room) { line in
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
                line.append(json: path.span.extracting(first: Self.longestPath))
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
    }

    private func appendDecision(to line: inout OutputSpan<UInt8>) {
        if let caller {
            line.append(#","caller":"#)
            line.append(caller.json)
        }
        appendStore(to: &line)
        if let action {
            line.append(#","action":""#)
            line.append(action.staticName)
            line.append(UInt8(ascii: "\""))
        }
        if let key {
            line.append(#","key":"#)
            line.append(json: key.span.extracting(first: ObjectKeyCheck.maximumLength))
        }
        if let rule {
            line.append(#","rule":"#)
            line.append(rule.json)
        }
        if let reason {
            line.append(#","reason":"#)
            line.append(json: reason.utf8.span)
        }
    }

    /// Appends the store as a member of a JSON object, with a comma before it; nothing where none was asked for.
    func appendStore(to line: inout OutputSpan<UInt8>) {
        if let store {
            line.append(#","store":"#)
            line.append(store.nameJSON)
        }
        if let unknownStore { line.appendMember("store", unknownStore.span.extracting(first: Self.longestStore)) }
    }

    static let longestPath = 256
    private static let longestStore = 64
    /// More than the names, the numbers and the times take together.
    private static let fixedRoom = 400

    /// The most bytes that a store's name takes; one that there is is no longer.
    var storeRoom: Int { store != nil || unknownStore != nil ? Self.longestStore : 0 }

    private var room: Int {
        let texts =
            min(path?.count ?? 0, Self.longestPath) + storeRoom
            + min(key?.count ?? 0, ObjectKeyCheck.maximumLength) + (reason?.utf8.count ?? 0)
        return Self.fixedRoom + requestID.count + (caller?.json.count ?? 0) + (rule?.json.count ?? 0)
            + OutputSpan<UInt8>.jsonRoom(texts) + 2 * PeerAddress.longest
    }
}

extension OutputSpan<UInt8> {
    /// Appends `","traceparent":"` and the value, behind a text that it ends and within one that is to be ended.
    package mutating func append(_ trace: borrowing TraceContext) {
        append(#"","traceparent":""#)
        append(trace.text.span)
    }
}
