import Foundation
import Testing

@testable import PresignClient

@Suite("Retries")
struct RetryTests {
    private static let unreachable = StorageFailure(.network, .networkError, detail: "", isRetryable: true)
    private static let busy = StorageFailure(.service, .overloaded, status: 503, detail: "", isRetryable: true)

    private func delays(
        _ failure: StorageFailure, retries: Int? = nil, isReached: Bool = true, isPersistent: Bool = false,
        limit: Int = 40
    ) -> [TimeInterval] {
        var schedule = RetrySchedule(retries: retries)
        var delays: [TimeInterval] = []
        while delays.count < limit,
            let delay = schedule.delay(after: failure, isReached: isReached, isPersistent: isPersistent, jitter: 1)
        {
            delays.append(delay)
        }
        return delays
    }

    @Test("delays double up to 20 s, and grow to a minute after the eighth")
    func delaysGrow() {
        #expect(
            delays(Self.unreachable, isPersistent: true, limit: 10)
                == [0.3, 0.6, 1.2, 2.4, 4.8, 9.6, 19.2, 20, 60, 60])
    }

    @Test("the number of retries depends on the server and the caller")
    func counts() {
        #expect(delays(Self.busy).count == 8)
        #expect(delays(Self.busy, isReached: false).count == 3)
        #expect(
            delays(Self.busy, isPersistent: true).count == 8, "it responds, so it is not waited for without a limit")
        #expect(delays(Self.unreachable, isPersistent: true).count == 40)
        #expect(delays(Self.unreachable, retries: 2, isPersistent: true).count == 2)
        #expect(delays(StorageFailure(.storage, "AccessDenied", status: 403, detail: "")).isEmpty)
    }

    @Test("Retry-After holds up to a minute, in seconds or as a date")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        let after = { (seconds: TimeInterval) in
            StorageFailure(.service, .rateLimited, status: 429, detail: "", retryAfter: seconds, isRetryable: true)
        }
        #expect(delays(after(30), retries: 1) == [30])
        #expect(delays(after(61)).isEmpty)
        #expect(RetryAfter.seconds("7", now: now) == 7)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:47 GMT", now: now) == 10)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:00 GMT", now: now) == 0)
        #expect(RetryAfter.seconds("soon", now: now) == nil)
        #expect(RetryAfter.seconds("-1", now: now) == nil)
    }
}
