import Foundation
import Testing

@testable import PresignClient

@Suite("Retries")
struct RetryTests {
    @Test("a refusal is not repeated")
    func refusal() {
        var schedule = RetrySchedule(retries: nil)
        let failure = StorageFailure(source: .storage, code: "AccessDenied", status: 403, detail: "")
        #expect(schedule.delay(after: failure, isReached: true, isPersistent: true, jitter: 1) == nil)
    }

    @Test("Retry-After is a number of seconds or a date")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)
        #expect(RetryAfter.seconds("7", now: now) == 7)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:47 GMT", now: now) == 10)
        #expect(RetryAfter.seconds("Sun, 06 Nov 1994 08:49:00 GMT", now: now) == 0)
        #expect(RetryAfter.seconds("soon", now: now) == nil)
        #expect(RetryAfter.seconds("-1", now: now) == nil)
    }
}
