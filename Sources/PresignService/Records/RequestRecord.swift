import AccessRules
import DataFormats
import HTTP1
import Presigning
import Requests
import System
import Telemetry
import Text

/// What is known about one request, for its log line, its audit line and the metrics. Filled from the head and then by
/// each stage. Contains no signed URL, signature, API key or token.
package struct RequestRecord: Sendable {
    /// What was signed.
    struct Signed: Sendable {
        /// The public half of the credentials, which the storage's logs contain too.
        let accessKeyID: String
        let expiresIn: Int
        let expiresAt: SigningTime
        let limitedBy: PresignedURL.Limit?

        init(_ url: borrowing PresignedURL, accessKeyID: String) {
            self.accessKeyID = accessKeyID
            (expiresIn, expiresAt, limitedBy) = (url.expiresIn, url.expiresAt, url.limitedBy)
        }

        /// The deletion of one of the objects of DeleteObjects.
        init(_ deletion: SignedDeletion, from time: SigningTime, accessKeyID: String) {
            (self.accessKeyID, limitedBy) = (accessKeyID, nil)
            (expiresIn, expiresAt) = (SignedDeletion.lifetime, time.advanced(bySeconds: SignedDeletion.lifetime))
        }
    }

    /// A share link that was made or used.
    struct Share: Sendable {
        /// The id of the link, which does not reveal its token.
        let id: [UInt8]
        let expiresAt: SigningTime
    }

    let requestID: RequestID
    /// Nil, as is the path, if the request line could not be parsed.
    let method: HTTPMethod?
    /// The path as `Route.logged` returns it, or that of a share link with its id.
    var path: [UInt8]?
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
    /// Whether it is written to the audit.
    var isAudited = false
    /// The client's `User-Agent`, if the request is audited.
    var userAgent: [UInt8]?
    /// The index of a batch item, from 0; nil for other requests.
    var item: Int?
    /// The client's address reported by a trusted proxy.
    var relayed: PeerAddress?
    /// The caller; nil until authenticated.
    var caller: Caller?
    /// The caller's rate limit; nil if it has none.
    var rateLimit: RateLimitStatus?
    /// What is asked for; without fields until they are decoded.
    var request = PresignRequest()
    /// The object's store; nil if it is not configured.
    var store: Store?
    /// The deciding rule, with its position in the configuration.
    var rule: RuleReference?
    /// The caller's groups through which grants of the deciding rule apply, if the request is audited.
    var groups: [[UInt8]] = []
    /// Nil if no share link was made or used.
    var share: Share?
    /// Nil if nothing was signed.
    var signed: Signed?
    /// The code of the problem; nil if the request was not refused.
    var code: ProblemCode?
    /// The reason of a refusal for the operator; never sent to the client.
    var reason: String?
    /// The limits that the request does not meet, for the audit.
    var unmet: [FieldFailure] = []
    /// The status of the response.
    private(set) var status = 0
    /// Nanoseconds from `started` to the response.
    private(set) var duration: Int64 = 0

    /// The object's path as requested; nil without one.
    var key: [UInt8]? { request.hasPath ? request.path : nil }

    /// Nil until the operation is selected.
    var operation: AWSS3SigningOperation.Kind? { request.isSelected ? request.operation : nil }

    /// Nil until the operation is selected.
    var action: AccessAction? { request.isSelected ? request.action : nil }

    /// The client's address: reported by a trusted proxy, else the peer's.
    var client: PeerAddress { relayed ?? peer ?? .unix }

    /// Adds the response.
    ///
    /// - Parameter time: the current time of the monotonic clock.
    mutating func end(status: Int, at time: MonotonicTime) {
        self.status = status
        duration = Int64(time.nanoseconds - started.nanoseconds)
    }

    /// Adds the reason for a refusal.
    mutating func add(_ refusal: Refusal) {
        code = refusal.problem.code
        reason = refusal.reason
        if let limit = refusal.rateLimit { rateLimit = limit }
        // The fields of other problems may quote what the caller sent, such as a misplaced API key.
        if refusal.problem.code == .constraint { unmet = refusal.problem.errors }
        hideLongSegments()
    }

    /// Appends one JSON object and a line feed.
    ///
    /// - Parameter time: the current time in RFC 3339 format.
    func appendLine(at time: Span<UInt8>, to line: inout ByteBuffer) {
        line.append(#"{"time":""#)
        line.append(time)
        line.append(ASCII.quote)
        line.appendMembers { line in
            line.member("requestId", requestID.bytes.span)
            if let trace { line.member("traceparent", trace.text.span) }
            if let method {
                line.member("method") { line in
                    line.append(ASCII.quote)
                    // An HTTP token contains no quote or backslash, so it needs no escaping.
                    method.append(to: &line)
                    line.append(ASCII.quote)
                }
            }
            if let path { line.member("path", path.span.extracting(first: Self.maximumPathLength)) }
            line.member("peer", peer)
            line.member("client", relayed)
            line.member("caller", caller?.label)
            appendStore(to: &line)
            line.member("action", action?.name)
            if let key { line.member("key", key.span.extracting(first: S3Limits.key)) }
            line.member("share", share?.id)
            line.member("rule", rule?.description)
            line.member("reason", reason)
            if reason != nil, let caller {
                line.member("groups", bounded: caller.groups)
                line.member("ignored", bounded: caller.ignored.map { Array($0.utf8) })
            }
            line.member("status", status)
            line.member("durationMicroseconds", duration / 1000)
        }
        line.append("}\n")
    }

    /// Appends the member `store`; nothing if no store was named.
    func appendStore(to line: inout JSONWriter) {
        if let name = store?.configuration.name {
            line.member("store", name)
        } else if let name = request.store {
            line.member("store", name.utf8.span.extracting(first: Self.maximumStoreLength))
        }
    }

    static let maximumPathLength = 256
    /// Bytes; a longer `User-Agent` is truncated.
    static let maximumUserAgentLength = 200
    private static let maximumStoreLength = 64
}

extension ByteBuffer {
    /// Appends at most 16 values of at most 256 bytes for a terminal, after a label; nothing without values.
    fileprivate mutating func append(_ label: StaticString, visible values: [[UInt8]]) {
        for (index, value) in values.prefix(16).enumerated() {
            append(index == 0 ? label : ", ")
            append(visible: value.prefix(256))
        }
    }
}

extension JSONWriter {
    /// Writes a member with at most 16 values of at most 256 bytes; nothing without values.
    mutating func member(_ name: StaticString, bounded values: [[UInt8]]) {
        if values.isEmpty { return }
        array(name) { list in
            for value in values.prefix(16) { list.element(value.span.extracting(first: 256)) }
        }
    }

    /// Writes a member with an address.
    mutating func member(_ name: StaticString, _ address: PeerAddress?) {
        guard let address else { return }
        member(name) { output in
            output.append(ASCII.quote)
            address.append(to: &output)
            output.append(ASCII.quote)
        }
    }
}

extension RequestRecord {
    /// Appends a line for a terminal, such as `12:03:04Z 200 POST /presign uploads/a.txt 0.3 ms`, with the reason of a
    /// refusal in parentheses.
    ///
    /// - Parameter time: the current time in RFC 3339 format.
    func appendText(at time: Span<UInt8>, to line: inout ByteBuffer) {
        line.append(timeOfDay: time)
        line.append(" ")
        line.append(decimal: status)
        if let method {
            line.append(" ")
            method.append(to: &line)
        }
        if let path {
            line.append(" ")
            line.append(visible: path.prefix(Self.maximumPathLength))
        }
        if let key {
            line.append(" ")
            line.append(visible: key.prefix(S3Limits.key))
        }
        let tenths = Int(duration / 100_000)
        line.append(" ")
        line.append(decimal: tenths / 10)
        line.append(".")
        line.append(decimal: tenths % 10)
        line.append(" ms")
        if let reason {
            line.append(" (")
            line.append(visible: Array(reason.utf8)[...])
            line.append("; groups: ", visible: caller?.groups ?? [])
            line.append("; ignored: ", visible: (caller?.ignored ?? []).map { Array($0.utf8) })
            line.append(")")
        }
        line.append("\n")
    }
}
