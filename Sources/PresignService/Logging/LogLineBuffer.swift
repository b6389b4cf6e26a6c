import Presigning

/// Memory for one log line after the other, and the text of the time, written once a second.
struct LogLineBuffer {
    /// Where the lines of requests go.
    let lane: LogLane?
    /// Where the lines of the audit go.
    let auditLane: LogLane?
    var line: [UInt8] = []
    private var time = SigningTime(secondsSince1970: 0)
    private var text: [UInt8] = []

    init(lane: LogLane?, auditLane: LogLane? = nil) {
        self.lane = lane
        self.auditLane = auditLane
    }

    /// Another one for the same lanes.
    func another() -> LogLineBuffer { LogLineBuffer(lane: lane, auditLane: auditLane) }

    /// The text of a time in the form of RFC 3339.
    mutating func text(of time: SigningTime) -> [UInt8] {
        if text.isEmpty || time != self.time {
            self.time = time
            text = Array(time.rfc3339Text.utf8)
        }
        return text
    }
}
