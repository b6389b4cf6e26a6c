/// How many uploads of a client send at the same time. It grows while more of them send more bytes: where the line is the
/// limit, more parts at a time would only be unfinished longer.
struct SendLimit: Sendable {
    private static let step = 2
    /// A measurement has at least these seconds, and these bytes or requests, because buffers take bytes in bursts.
    private static let minTime = 0.25
    private static let minBytes: Int64 = 1 << 20
    private static let minRequests = 8
    /// The ratio of the rates with which a larger limit is kept.
    private static let minGain = 1.2
    /// The time after which a larger limit is tried again.
    private static let retryDelay = Duration.seconds(10)

    private(set) var count: Int
    private let most: Int
    /// The limit before the current try, and its rate in bytes per second.
    private var tried: (count: Int, rate: Double)?
    private var nextTry: ContinuousClock.Instant?
    /// The requests that have begun to send since the limit has grown.
    private var begun = 0
    private var start: ContinuousClock.Instant?
    private var bytes: Int64 = 0
    private var requests = 0

    init(most: Int) {
        self.most = most
        count = min(Self.step, most)
    }

    /// Counts bytes that an upload has sent. May change the limit.
    ///
    /// - Parameters:
    ///   - isFirst: Whether they are the first of a request.
    ///   - isReached: Whether other uploads wait for their turn.
    mutating func add(_ sent: Int64, isFirst: Bool, isReached: Bool, _ now: ContinuousClock.Instant) {
        if isFirst { begun += 1 }
        guard isReached, begun >= min(Self.step, count) else { return stop() }
        guard let start else {
            self.start = now
            return
        }
        bytes += sent
        requests += isFirst ? 1 : 0
        let seconds = (now - start) / .seconds(1)
        let isEnough = bytes >= Self.minBytes || requests >= Self.minRequests
        if isEnough, seconds >= Self.minTime { judge(Double(bytes) / seconds, now) }
    }

    /// Ends a measurement.
    mutating func stop() {
        (start, bytes, requests) = (nil, 0, 0)
    }

    private mutating func judge(_ rate: Double, _ now: ContinuousClock.Instant) {
        (start, bytes, requests) = (now, 0, 0)
        if let tried, rate < Self.minGain * tried.rate {
            (count, nextTry, self.tried) = (tried.count, now + Self.retryDelay, nil)
        } else if count < most, tried != nil || nextTry.map({ now >= $0 }) ?? true {
            tried = (count, rate)
            count = min(count + Self.step, most)
            begun = 0
            stop()
        } else {
            tried = nil
        }
    }
}
