import HTTPServerTestSupport
import System
import TestSupport

@testable import HTTPServer

/// Decides which ready descriptors a `SimulatedQueue` reports, and how much time passes when it reports none.
final class SimulatedWait {
    /// Whether everything that is ready is reported, instead of a random part.
    var reportsAll = false
    /// The time that may still pass.
    var left = Duration.zero
    /// Whether something was ready in the last wait.
    private(set) var wasReady = false
    /// Whether the last wait returned no event although the loop did not want to wait.
    private(set) var wasIdle = false
    var random: SeededGenerator
    private let clock: TestClock

    init(_ clock: TestClock, _ random: SeededGenerator) { (self.clock, self.random) = (clock, random) }

    /// Returns the events to report, in a random order.
    func choose(from ready: [Readiness]) -> [Readiness] {
        (wasReady, wasIdle) = (!ready.isEmpty, false)
        let share = reportsAll ? 4 : Int.random(in: 0...4, using: &random)
        return ready.filter { _ in Int.random(in: 0..<4, using: &random) < share }.shuffled(using: &random)
    }

    /// Lets time pass while nothing is reported, at most as long as the loop waits (-1: forever).
    func pass(atMost milliseconds: Int32) {
        wasIdle = milliseconds == 0
        let time = milliseconds < 0 ? left : min(left, .milliseconds(Int64(milliseconds)))
        clock.advance(by: time)
        left -= time
    }
}

/// The shipped readiness queue, which reports a part of its events later.
struct SimulatedQueue: ReadinessQueue, ~Copyable {
    private var kernel: EpollQueue
    private let wait: SimulatedWait
    private var tokens: [Int32: UInt64] = [:]
    /// The tokens of edge-triggered descriptors, whose events the kernel reports only once.
    private var edgeTriggered: Set<UInt64> = []
    /// Their events that the loop has not received yet.
    private var held: [UInt64: Readiness] = [:]
    private var reported: [Readiness] = []

    init(_ wait: SimulatedWait) throws {
        kernel = try EpollQueue()
        self.wait = wait
    }

    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try kernel.add(descriptor, interest, token: token)
        note(descriptor, interest, token)
    }

    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try kernel.change(descriptor, interest, token: token)
        note(descriptor, interest, token)
    }

    mutating func remove(_ descriptor: Int32) {
        kernel.remove(descriptor)
        if let token = tokens.removeValue(forKey: descriptor) { forget(token) }
    }

    /// After an addition or a change, the kernel reports again what is ready.
    private mutating func note(_ descriptor: Int32, _ interest: Interest, _ token: UInt64) {
        forget(token)
        tokens[descriptor] = token
        if interest.contains(.edgeTriggered) { edgeTriggered.insert(token) }
    }

    private mutating func forget(_ token: UInt64) {
        held[token] = nil
        edgeTriggered.remove(token)
    }

    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int {
        var ready: [Readiness] = []
        let count = try kernel.wait(milliseconds: 0)
        for index in 0..<count {
            let event = kernel.event(at: index)
            if edgeTriggered.contains(event.token) {
                held[event.token] = held[event.token].map { $0.merged(with: event) } ?? event
            } else {
                ready.append(event)
            }
        }
        ready += held.values
        reported = wait.choose(from: ready.sorted { $0.token < $1.token })
        for event in reported { held[event.token] = nil }
        if reported.isEmpty { wait.pass(atMost: milliseconds) }
        return reported.count
    }

    func event(at index: Int) -> Readiness { reported[index] }
}

extension Readiness {
    fileprivate func merged(with other: Readiness) -> Readiness {
        var both = other
        both.isReadable = isReadable || other.isReadable
        both.isWritable = isWritable || other.isWritable
        both.isBroken = isBroken || other.isBroken
        both.mayHaveMore = mayHaveMore || other.mayHaveMore
        return both
    }
}
