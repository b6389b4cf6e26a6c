import Dispatch
import HTTPClient
import Synchronization
import Testing

@testable import ObjectExistence
@testable import System

/// The names end in `.invalid`, which no system resolver knows (RFC 6761, section 6.4), so a lookup by libcurl itself
/// fails.
@Suite("Name lookups of existence checks")
struct NameLookupTests {
    /// A resolver that records the requested names. `slow.invalid` blocks it until `release` is signalled.
    private final class Names: Sendable {
        let asked = Mutex<[String]>([])
        let release = DispatchSemaphore(value: 0)

        func resolver() -> HostResolver {
            HostResolver { name in
                self.asked.withLock { $0.append(name) }
                if name == "slow.invalid" { self.release.wait() }
                return switch name {
                case "unknown.invalid": []
                case "two.invalid": [.ipv6(0, 1), .ipv4(0x7F00_0001)]
                default: [.ipv4(0x7F00_0001)]
                }
            }
        }
    }

    private let names: Names
    private let resolver: HostResolver

    init() {
        names = Names()
        resolver = names.resolver()
    }

    private static func serving(_ body: (ScriptedServer) async throws -> Void) async throws {
        let server = try ScriptedServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" }
        defer { server.stop() }
        try await body(server)
    }

    private func checker(total: Duration = .seconds(5), proxy: String? = nil) -> ObjectExistenceChecker {
        var configuration = ExistenceConfiguration()
        configuration.timeout = total
        configuration.proxy = proxy.flatMap { FetchURL($0) }
        return ObjectExistenceChecker(configuration, resolver: resolver)
    }

    private static func outcomes(
        _ count: Int, of checker: ObjectExistenceChecker, _ url: String
    ) async -> [ExistenceOutcome] {
        let (outcomes, continuation) = AsyncStream<ExistenceOutcome>.makeStream()
        for number in 0..<count { checker.head(url: "\(url)/\(number)", of: .one) { continuation.yield($0) } }
        return await outcomes.prefix(count).reduce(into: []) { $0.append($1) }
    }

    @Test("A name is looked up once for many checks, and not by libcurl", arguments: ["one.invalid", "two.invalid"])
    func once(name: String) async throws {
        try await Self.serving { server in
            let checker = checker()
            defer { checker.shutdown() }
            for _ in 0..<2 {
                let outcomes = await Self.outcomes(20, of: checker, "http://\(name.uppercased()):\(server.port)")
                #expect(outcomes == Array(repeating: .status(200, length: 0), count: 20))
            }
            #expect(names.asked.withLock { $0 } == [name])
        }
    }

    @Test("A hanging lookup blocks one thread per name, however many checks time out, and no other check")
    func hanging() async throws {
        defer { names.release.signal() }
        try await Self.serving { server in
            let checker = checker(total: .milliseconds(100))
            defer { checker.shutdown() }
            for _ in 0..<3 {
                let slow = await Self.outcomes(10, of: checker, "http://slow.invalid:\(server.port)")
                #expect(slow == Array(repeating: .timedOut, count: 10))
            }
            let patient = self.checker(total: .seconds(60))
            defer { patient.shutdown() }
            let (slow, continuation) = AsyncStream<ExistenceOutcome>.makeStream()
            patient.head(url: "http://slow.invalid:\(server.port)", of: .one) { continuation.yield($0) }
            // A caller's checks start in order, so the slow one waits for the resolver once this one has ended.
            #expect(
                await Self.outcomes(1, of: patient, "http://one.invalid:\(server.port)") == [.status(200, length: 0)])
            names.release.signal()
            #expect(await slow.first { _ in true } == .status(200, length: 0))
            #expect(names.asked.withLock { $0 } == ["slow.invalid", "one.invalid"])
        }
    }

    @Test("A name without an address fails immediately")
    func unknown() async {
        let checker = checker()
        defer { checker.shutdown() }
        let outcomes = await Self.outcomes(1, of: checker, "http://unknown.invalid")
        #expect(outcomes == [.failed("the host name has no address")])
    }

    @Test("With a proxy, the proxy's name is looked up and the storage's is not")
    func proxy() async throws {
        try await Self.serving { server in
            let checker = checker(proxy: "http://proxy.invalid:\(server.port)")
            defer { checker.shutdown() }
            #expect(
                await Self.outcomes(3, of: checker, "http://one.invalid").allSatisfy { $0 == .status(200, length: 0) })
            #expect(names.asked.withLock { $0 } == ["proxy.invalid"])
        }
    }

    @Test("Addresses are cached for a minute, failures for a second", arguments: [("one", 60), ("unknown", 1)])
    func lifetime(name: String, seconds: Int) async throws {
        let host = try #require(FetchURL("http://\(name).invalid")).host
        let (finished, continuation) = AsyncStream<Void>.makeStream()
        let cache = AddressCache(resolver) { continuation.yield() }
        var ends = finished.makeAsyncIterator()
        let start = ContinuousClock.now
        #expect(cache.addresses(of: host, at: start) == nil)
        await ends.next()
        #expect(cache.addresses(of: host, at: start + .milliseconds(seconds * 1000 - 10)) != nil)
        #expect(names.asked.withLock { $0.count } == 1)
        #expect(cache.addresses(of: host, at: .now + .milliseconds(seconds * 1000 + 10)) == nil)
        await ends.next()
        #expect(names.asked.withLock { $0.count } == 2)
    }
}
