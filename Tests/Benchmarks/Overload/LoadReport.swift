/// The outcomes of one run. Times are in nanoseconds and count from when a request was due, so that a request delayed
/// by earlier ones does not look fast.
struct LoadReport {
    /// Requests with a URL, or with a response that required verifying the token: when each was due, from the start of
    /// the run, and how long it took.
    private(set) var accepted: [(due: Int64, took: Int64)] = []
    /// When each request that got 503 was due.
    private(set) var refused: [Int64] = []
    private(set) var refusedTook: [Int64] = []
    private(set) var others = 0
    /// The number of 503 responses without Retry-After.
    private(set) var silent = 0
    /// Requests without a response: reset, closed, or a second late.
    var lost = 0
    /// The delays of the generator itself.
    var lag: [Int64] = []
    var seconds = 1.0

    mutating func note(_ outcome: LoadConnection.Outcome, start: Int64, now: Int64) {
        switch outcome {
        case .answered(200, let due, _), .answered(401, let due, _): accepted.append((due - start, now - due))
        case .answered(503, let due, let hasRetryAfter):
            refused.append(due - start)
            refusedTook.append(now - due)
            if !hasRetryAfter { silent += 1 }
        case .answered: others += 1
        case .lost(let count): lost += count
        }
    }

    static func percentile(_ part: Double, of values: [Int64]) -> Int64 {
        guard !values.isEmpty else { return 0 }
        return values.sorted()[min(values.count - 1, Int(Double(values.count) * part))]
    }

    func acceptedTime(_ part: Double) -> Int64 { Self.percentile(part, of: accepted.map(\.took)) }

    /// Milliseconds from the start until the first 20 ms in which no request was rejected and 99 % took at most
    /// `limit`; nil if there is no such period.
    func recovered(within limit: Int64) -> Int? {
        let width: Int64 = 20_000_000
        for window in 0..<Int64(seconds * 1e9) / width {
            let times = window * width..<(window + 1) * width
            let taken = accepted.filter { times.contains($0.due) }
            guard !taken.isEmpty, !refused.contains(where: { times.contains($0) }) else { continue }
            if taken.count(where: { $0.took > limit }) * 100 <= taken.count { return Int(window * 20) }
        }
        return nil
    }

    func line(_ name: String) -> String {
        func microseconds(_ value: Int64) -> String { "\(value / 1000) us" }
        let all = accepted.count + refused.count + others + lost
        return "\(name): \(Int(Double(all) / seconds))/s sent; \(Int(Double(accepted.count) / seconds))/s answered, "
            + "p50 \(microseconds(acceptedTime(0.5))), p90 \(microseconds(acceptedTime(0.9))), p99 \(microseconds(acceptedTime(0.99))); "
            + "\(refused.count * 100 / max(1, all)) % refused, p99 "
            + "\(microseconds(Self.percentile(0.99, of: refusedTook))), \(silent) of them without Retry-After; "
            + "\(others) other, \(lost) lost; generator late by p99 \(microseconds(Self.percentile(0.99, of: lag)))"
    }
}
