import HTTPClient
import System
import Testing

@testable import ObjectExistence

extension LimitKey {
    static let (one, two, three) = (key(1), key(2), key(3))

    private static func key(_ number: Int) -> LimitKey {
        var hasher = Hasher()
        hasher.combine(number)
        return LimitKey(hasher)
    }
}

@Suite("The queue of existence checks")
struct CheckQueueTests {
    private static let start = ContinuousClock.now

    private static func queue(inFlight: Int, queued: Int) -> CheckQueue {
        var configuration = ExistenceConfiguration()
        (configuration.maximumInFlight, configuration.maximumQueued) = (inFlight, queued)
        return CheckQueue(configuration)
    }

    private static func check(
        _ caller: LimitKey, _ path: String = "", host: String = "a.example", deadline: Int = 5
    ) throws -> PendingCheck {
        let peer = try #require(FetchURL("http://\(host)/"))
        return PendingCheck(
            url: path, caller: caller, peer: peer, deadline: start + .seconds(deadline), completion: { _ in })
    }

    /// The checks that start now.
    private static func starting(_ queue: CheckQueue, at second: Int = 0) -> [PendingCheck] {
        queue.next(at: start + .seconds(second)) { _ in [] }.starting.map(\.check)
    }

    @Test("Callers take turns, in the order of each caller's checks")
    func turns() throws {
        let queue = Self.queue(inFlight: 1, queued: 9)
        for (caller, path) in [(LimitKey.one, "1"), (.one, "2"), (.one, "3"), (.two, "4"), (.three, "5"), (.two, "6")] {
            #expect(queue.add(try Self.check(caller, path)) == nil)
        }
        var order = ""
        while let check = Self.starting(queue).first {
            order += check.url
            queue.ended(check)
        }
        #expect(order == "145263")
    }

    @Test(
        "However many checks a caller has, another one starts at once, and finds room in the queue",
        arguments: [(64, 256, 48, 240), (4, 0, 3, 3), (4, 12, 3, 12), (2, 6, 2, 6), (1, 0, 1, 1)])
    func share(inFlight: Int, queued: Int, starting: Int, accepted: Int) throws {
        let queue = Self.queue(inFlight: inFlight, queued: queued)
        let outcomes = try (0..<1000).map { _ in queue.add(try Self.check(.one)) }
        #expect(outcomes.count { $0 == nil } == accepted && outcomes.last == .overloaded)
        let first = Self.starting(queue)
        #expect(first.count == starting && first.allSatisfy { $0.caller == .one })
        guard accepted < inFlight + queued else { return }
        #expect(queue.add(try Self.check(.two)) == nil)
        guard starting < inFlight else { return }
        #expect(Self.starting(queue).map(\.caller) == [.two])
    }

    @Test("With eight callers who fill the queue, a check of another one starts within a turn of each")
    func manyCallers() throws {
        let queue = Self.queue(inFlight: 8, queued: 400)
        let callers = (10..<18).map { number in
            var hasher = Hasher()
            hasher.combine(number)
            return LimitKey(hasher)
        }
        for caller in callers { for _ in 0..<20 { _ = queue.add(try Self.check(caller)) } }
        var running = Self.starting(queue)
        #expect(running.count == 8)
        #expect(queue.add(try Self.check(.one)) == nil)
        var ended = 0
        while !running.contains(where: { $0.caller == .one }) {
            queue.ended(running.removeFirst())
            ended += 1
            running += Self.starting(queue)
        }
        #expect(ended <= 9)
    }

    @Test("An ended check gives its place back, also one that expired in the queue")
    func places() throws {
        let queue = Self.queue(inFlight: 2, queued: 2)
        for _ in 0..<10 {
            for caller in [LimitKey.one, .one, .two] { #expect(queue.add(try Self.check(caller, deadline: 5)) == nil) }
            let running = Self.starting(queue)
            #expect(running.count == 2)
            let expired = queue.next(at: Self.start + .seconds(5)) { _ in [] }.expired
            #expect(expired.count == 1 && queue.nextDeadline == nil)
            for check in running { queue.ended(check) }
        }
    }

    @Test("A check waits for the lookup of its host's name, and the same caller's check of another host does not")
    func lookup() throws {
        let queue = Self.queue(inFlight: 4, queued: 4)
        #expect(queue.add(try Self.check(.one, "slow", host: "slow.example")) == nil)
        #expect(queue.add(try Self.check(.one, "fast", deadline: 3)) == nil)
        #expect(queue.nextDeadline == Self.start + .seconds(3))
        let next = queue.next(at: Self.start) { host in
            if case .name("slow.example") = host { nil } else { [.ipv4(1)] }
        }
        #expect(next.starting.map(\.check.url) == ["fast"] && next.starting.first?.addresses == [.ipv4(1)])
        #expect(queue.close().map(\.url) == ["slow"])
        #expect(queue.add(try Self.check(.one)) == .failed("the service is stopping"))
    }
}
