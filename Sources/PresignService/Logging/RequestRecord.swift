import HTTPServing
import Presigning

/// What one request came to, for its line in the log. Holds no URL, signature, key or token.
struct RequestRecord {
    let requestID: RequestID
    let method: HTTPMethod
    var path: ArraySlice<UInt8>
    let peer: PeerAddress?
    let started = ContinuousClock.now
    /// Who calls, for people.
    var caller: [UInt8]?
    var store: [UInt8]?
    var action: AccessAction?
    /// The object's path as asked for.
    var key: [UInt8]?
    /// The deciding rule, with its place in the configuration.
    var rule: RuleReference?
    /// Why the request was refused; for operators, never for the caller.
    var reason: String?

    /// One JSON object and a line feed.
    ///
    /// - Parameter time: now.
    func line(status: Int, at time: SigningTime) -> [UInt8] {
        var line: [UInt8] = []
        line.reserveCapacity(512)
        line.append(contentsOf: Name.time)
        time.appendRFC3339(to: &line)
        line.append(contentsOf: Name.requestID)
        line.append(contentsOf: requestID.bytes)
        line.append(contentsOf: Name.method)
        line.appendJSON(string: method.bytes)
        line.append(contentsOf: Name.path)
        line.appendJSON(string: path.prefix(256))
        if let peer {
            line.append(contentsOf: Name.peer)
            peer.append(to: &line)
            line.append(UInt8(ascii: "\""))
        }
        appendDecision(to: &line)
        line.append(contentsOf: Name.status)
        line.appendJSON(Int64(status))
        line.append(contentsOf: Name.duration)
        let elapsed = started.duration(to: .now).components
        line.appendJSON(elapsed.seconds * 1_000_000 + elapsed.attoseconds / 1_000_000_000_000)
        line.append(contentsOf: Name.end)
        return line
    }

    private func appendDecision(to line: inout [UInt8]) {
        if let caller {
            line.append(contentsOf: Name.caller)
            line.appendJSON(string: caller)
        }
        if let store {
            line.append(contentsOf: Name.store)
            line.appendJSON(string: store.prefix(64))
        }
        if let action { line.append(contentsOf: Name.actions[Int(action.rawValue)]) }
        if let key {
            line.append(contentsOf: Name.key)
            line.appendJSON(string: key.prefix(ObjectKeyCheck.maximumLength))
        }
        if let rule {
            line.append(contentsOf: Name.rule)
            line.append(contentsOf: rule.json)
        }
        if let reason { line.appendMember("reason", reason.utf8) }
    }

    /// What stands between the values, made once.
    private enum Name {
        static let time = Array(#"{"time":""#.utf8)
        static let requestID = Array(#"","requestId":""#.utf8)
        static let method = Array(#"","method":"#.utf8)
        static let path = Array(#","path":"#.utf8)
        static let peer = Array(#","peer":""#.utf8)
        static let caller = Array(#","caller":"#.utf8)
        static let store = Array(#","store":"#.utf8)
        static let actions = AccessAction.allCases.map { Array(#","action":"\#($0.name)""#.utf8) }
        static let key = Array(#","key":"#.utf8)
        static let rule = Array(#","rule":"#.utf8)
        static let status = Array(#","status":"#.utf8)
        static let duration = Array(#","durationMicroseconds":"#.utf8)
        static let end = Array("}\n".utf8)
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
