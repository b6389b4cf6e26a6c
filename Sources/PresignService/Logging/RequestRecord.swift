import HTTPServing
import Presigning
import SystemInterface

/// What one request came to, for its line in the log. Holds no URL, signature, key or token.
struct RequestRecord {
    let requestID: RequestID
    let method: HTTPMethod
    var path: ArraySlice<UInt8>
    let peer: PeerAddress?
    let started = ContinuousClock.now
    var caller: String?
    var store: String?
    var action: AccessAction?
    /// The object's path as asked for.
    var key: [UInt8]?
    /// The deciding rule's place in the configuration.
    var rule: String?
    /// Why the request was refused; for operators, never for the caller.
    var reason: String?

    /// One JSON object and a line feed.
    func line(status: Int) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(384)
        line.append(contentsOf: #"{"time":""#.utf8)
        line.append(contentsOf: Self.time().utf8)
        line.append(contentsOf: #"","requestId":"#.utf8)
        line.appendJSON(string: requestID.bytes)
        line.appendMember("method", method.bytes)
        line.appendMember("path", path.prefix(256))
        if let peer { line.appendMember("peer", peer.description.utf8) }
        if let caller { line.appendMember("caller", caller.utf8) }
        if let store { line.appendMember("store", store.utf8.prefix(64)) }
        if let action { line.appendMember("action", action.name.utf8) }
        if let key { line.appendMember("key", key.prefix(ObjectKeyCheck.maximumLength)) }
        if let rule { line.appendMember("rule", rule.utf8) }
        if let reason { line.appendMember("reason", reason.utf8) }
        line.append(contentsOf: #","status":"#.utf8)
        line.appendJSON(Int64(status))
        line.append(contentsOf: #","durationMicroseconds":"#.utf8)
        let elapsed = started.duration(to: .now).components
        line.appendJSON(elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000)
        line.append(contentsOf: "}\n".utf8)
        return line
    }

    private static func time() -> String {
        SigningTime(secondsSince1970: WallClock.now().seconds).rfc3339Text
    }
}

extension [UInt8] {
    /// Appends `,"name":"value"`; the name is one of ours and needs no escape.
    mutating func appendMember(_ name: String, _ value: some Collection<UInt8>) {
        append(contentsOf: #",""#.utf8)
        append(contentsOf: name.utf8)
        append(contentsOf: #"":"#.utf8)
        appendJSON(string: value)
    }
}
