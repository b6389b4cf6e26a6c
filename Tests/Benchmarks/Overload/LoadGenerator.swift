import CPlatform
import Glibc

/// Sends requests at a constant rate, however fast the responses are (an open loop), like many independent clients.
struct LoadGenerator {
    enum Mode: String {
        /// The connections take turns; a request does not wait for the previous response.
        case keep
        /// One connection per request.
        case new
    }

    let port: UInt16
    let request: [UInt8]
    let mode: Mode
    private let queue = presign_epoll_create()
    private var connections: [LoadConnection]
    private var watched: [UInt32]
    private var next = 0
    private var events = [presign_event](repeating: presign_event(), count: 1024)
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    init(port: UInt16, request: [UInt8], mode: Mode, connections: Int) {
        self.port = port
        self.request = request
        self.mode = mode
        self.connections = Array(repeating: LoadConnection(), count: connections)
        watched = Array(repeating: 0, count: connections)
    }

    /// Sends for this many seconds, then waits at most one more second for the responses.
    mutating func run(rate: Int, seconds: Double) -> LoadReport {
        var report = LoadReport()
        let interval = 1e9 / Double(rate)
        let start = presign_monotonic_nanoseconds()
        let end = start + Int64(seconds * 1e9)
        var sent = 0
        while true {
            let now = presign_monotonic_nanoseconds()
            if now > end + 1_000_000_000 { break }
            if now > end, connections.allSatisfy({ $0.waiting == 0 }) { break }
            // A few at a time, so that responses are read in time while a late generator catches up.
            for _ in 0..<8 {
                let due = start + Int64(Double(sent) * interval)
                guard due <= now, due < end else { break }
                send(dueAt: due, &report)
                report.lag.append(now - due)
                sent += 1
            }
            receive(since: start, &report)
        }
        for index in connections.indices where connections[index].waiting > 0 { drop(index, &report) }
        report.seconds = seconds
        return report
    }

    /// The maximum rate of the server: every connection sends its next request after each response.
    mutating func capacity(seconds: Double) -> Double {
        var report = LoadReport()
        let start = presign_monotonic_nanoseconds()
        let end = start + Int64(seconds * 1e9)
        while presign_monotonic_nanoseconds() < end {
            for _ in connections.indices {
                next = (next + 1) % connections.count
                if connections[next].waiting == 0 { send(dueAt: start, &report, on: next) }
            }
            receive(since: start, &report)
        }
        return Double(report.accepted.count) / seconds
    }

    private mutating func send(dueAt time: Int64, _ report: inout LoadReport) {
        // A new connection replaces a closed one. If all are open, the client gave up waiting, which is the outcome.
        for _ in 0..<(mode == .new ? connections.count : 1) {
            next = (next + 1) % connections.count
            if mode == .keep || !connections[next].isOpen { return send(dueAt: time, &report, on: next) }
        }
        report.lost += 1
    }

    private mutating func send(dueAt time: Int64, _ report: inout LoadReport, on index: Int) {
        if !connections[index].isOpen {
            guard connections[index].open(port: port) else { return report.lost += 1 }
            watched[index] = UInt32(PRESIGN_READABLE)
            _ = presign_epoll_add(queue, connections[index].descriptor, watched[index], UInt64(index))
        }
        connections[index].send(request, dueAt: time)
        watch(index)
    }

    private mutating func receive(since start: Int64, _ report: inout LoadReport) {
        let queue = queue
        // The kernel fills in at most `count` events of the array, which outlives the call.
        let count = unsafe events.withUnsafeMutableBufferPointer {
            unsafe presign_epoll_wait(queue, $0.baseAddress, Int32($0.count), 0)
        }
        for event in events.prefix(Int(max(0, count))) {
            let index = Int(event.token)
            guard connections[index].isOpen else { continue }
            if event.readiness & UInt32(PRESIGN_WRITABLE) != 0 { connections[index].flush() }
            connections[index].receive(into: &buffer) { outcome in
                report.note(outcome, start: start, now: presign_monotonic_nanoseconds())
            }
            if connections[index].isOpen {
                if mode == .new, connections[index].waiting == 0 { drop(index, &report) } else { watch(index) }
            }
        }
    }

    private mutating func watch(_ index: Int) {
        let flags = UInt32(PRESIGN_READABLE) | (connections[index].wantsToSend ? UInt32(PRESIGN_WRITABLE) : 0)
        guard flags != watched[index] else { return }
        watched[index] = flags
        _ = presign_epoll_modify(queue, connections[index].descriptor, flags, UInt64(index))
    }

    private mutating func drop(_ index: Int, _ report: inout LoadReport) { report.lost += connections[index].end() }
}
