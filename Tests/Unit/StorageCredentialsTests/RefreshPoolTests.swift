import Dispatch
import Synchronization
import Testing

@testable import Presigning
@testable import Refreshing
@testable import StorageCredentials

/// A source whose fetches wait for the test.
private final class WaitingSource: CredentialSource, CredentialFetcher {
    let began = DispatchSemaphore(value: 0)
    let proceeds = DispatchSemaphore(value: 0)
    private let fetches = Mutex(0)

    func resolve() throws(CredentialFailure) -> CredentialResolution? { .fetched(self) }

    func fetch() throws(CredentialFailure) -> Credentials {
        began.signal()
        proceeds.wait()
        let number = fetches.withLock { fetches in
            fetches += 1
            return fetches
        }
        return try Credentials(from: "test", "AKID\(number)", "secret", sessionToken: nil)
    }
}

@Suite("A pool of refreshed values")
struct RefreshPoolTests {
    private static func occurs(_ event: DispatchSemaphore) -> Bool { event.wait(timeout: .now() + 20) == .success }

    @Test("A started value fetches on a queue of its own, and once more for a request during a fetch")
    func start() throws {
        let (slow, other) = (WaitingSource(), WaitingSource())
        let pool = CredentialPool(sources: { $0 == .imds ? slow : other })
        let (value, second) = (try pool.value(of: .imds), try pool.value(of: .container))
        let reported = DispatchSemaphore(value: 0)
        for _ in 0..<2 { pool.start { _, _ in reported.signal() } }
        defer { pool.keep(only: []) }
        #expect(Self.occurs(slow.began) && Self.occurs(other.began))
        // The slow one does not delay the other.
        other.proceeds.signal()
        #expect(Self.occurs(reported) && second.value?.accessKeyID == "AKID1" && value.value == nil)
        value.refreshNow()
        value.refreshNow()
        slow.proceeds.signal()
        #expect(Self.occurs(reported) && Self.occurs(slow.began) && value.value?.accessKeyID == "AKID1")
        slow.proceeds.signal()
        #expect(Self.occurs(reported) && value.value?.accessKeyID == "AKID2")
        // Without an expiration it is not fetched again until it is asked for.
        #expect(value.secondsToValue == nil)
        value.refreshNow()
        #expect(Self.occurs(slow.began))
        slow.proceeds.signal()
        #expect(Self.occurs(reported) && value.value?.accessKeyID == "AKID3")
    }

    @Test("A removed value stops, and is a new one when it is added again")
    func removal() throws {
        let source = WaitingSource()
        source.proceeds.signal()
        let pool = CredentialPool(sources: { _ in source })
        let value = try pool.value(of: .imds)
        #expect(value.step().hasChanged && value.value != nil)
        pool.keep(only: [.container])
        #expect(pool.all.isEmpty)
        let new = try pool.value(of: .imds)
        #expect(new !== value && new.value == nil)
    }
}
