import Testing

@testable import System

@Suite("Monotonic time")
struct MonotonicTimeTests {
    @Test("Extreme timeouts saturate")
    func time() {
        #expect(MonotonicTime(nanoseconds: 1) + TimeSpan(.seconds(Int64.max)) == .distantFuture)
        #expect(MonotonicTime.distantFuture.milliseconds(from: .now()) == -1)
        #expect(MonotonicTime(nanoseconds: 1_000_001).milliseconds(from: MonotonicTime(nanoseconds: 0)) == 2)
    }
}
