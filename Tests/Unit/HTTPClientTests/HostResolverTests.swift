import Dispatch
import Synchronization
import Testing

@testable import HTTPClient
@testable import System

@Suite("Host name lookups with a resolver that hangs")
struct HostResolverTests {
    /// A resolver whose lookups block until `release`.
    private final class Hanging: Sendable {
        let release = DispatchSemaphore(value: 0)
        let names = Mutex<[String]>([])

        func resolver() -> HostResolver {
            HostResolver { name in
                self.names.withLock { $0.append(name) }
                self.release.wait()
                return name == "unknown" ? [] : [.ipv4(0x7F00_0001)]
            }
        }
    }

    private static func ask(
        _ resolver: HostResolver, _ name: String, within time: Duration
    ) throws(FetchFailure) -> [PeerAddress] {
        try resolver.addresses(of: .name(name), by: MonotonicTime.after(time))
    }

    @Test("A lookup in progress is shared: each caller waits until its own deadline")
    func oneLookupPerName() throws {
        let hanging = Hanging()
        let resolver = hanging.resolver()
        for _ in 0..<20 {
            #expect(throws: FetchFailure.timedOut) { try Self.ask(resolver, "a", within: .milliseconds(5)) }
        }
        #expect(throws: FetchFailure.timedOut) { try Self.ask(resolver, "b", within: .milliseconds(50)) }
        #expect(hanging.names.withLock { $0.sorted() } == ["a", "b"])
        for _ in 0..<2 { hanging.release.signal() }
    }

    @Test("All callers of a lookup get its result; the next caller starts a new lookup")
    func joining() async throws {
        let hanging = Hanging()
        let resolver = hanging.resolver()
        #expect(throws: FetchFailure.timedOut) { try Self.ask(resolver, "a", within: .milliseconds(5)) }
        let results = Mutex<[[PeerAddress]]>([])
        let callers = DispatchGroup()
        for number in 0..<4 {
            DispatchQueue(label: "caller \(number)").async(group: callers) {
                guard let found = try? Self.ask(resolver, "a", within: .seconds(30)) else { return }
                results.withLock { $0.append(found) }
            }
        }
        hanging.release.signal()
        // A caller after the end of the first lookup starts another.
        for _ in 0..<4 { hanging.release.signal() }
        await withCheckedContinuation { done in callers.notify(queue: .global()) { done.resume() } }
        #expect(results.withLock { $0 } == Array(repeating: [.ipv4(0x7F00_0001)], count: 4))
        let before = hanging.names.withLock { $0.count }
        hanging.release.signal()
        #expect(try Self.ask(resolver, "a", within: .seconds(30)) == [.ipv4(0x7F00_0001)])
        #expect(hanging.names.withLock { $0.count } == before + 1)
    }

    @Test("All callers of a failed lookup get the failure; an address needs no lookup")
    func unknown() throws {
        let hanging = Hanging()
        let resolver = hanging.resolver()
        hanging.release.signal()
        #expect(throws: FetchFailure.unknownHost) { try Self.ask(resolver, "unknown", within: .seconds(30)) }
        let address = PeerAddress.ipv4(1)
        #expect(try resolver.addresses(of: .address(address), by: MonotonicTime.after(.zero)) == [address])
        #expect(hanging.names.withLock { $0 } == ["unknown"])
    }
}
