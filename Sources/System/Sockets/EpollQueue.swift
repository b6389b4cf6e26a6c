private import CPlatform

/// The events that a descriptor is polled for.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: UInt8(PRESIGN_READABLE))
    package static let write = Interest(rawValue: UInt8(PRESIGN_WRITABLE))
    /// Wakes only one of the loops that poll the same listener.
    package static let exclusive = Interest(rawValue: UInt8(PRESIGN_EXCLUSIVE))
    /// Reports input once when it arrives (edge-triggered), for descriptors from which one read takes all input.
    package static let edgeTriggered = Interest(rawValue: UInt8(PRESIGN_ONCE))
}

/// A descriptor that is ready.
package struct Readiness: Sendable {
    package var token: UInt64
    package var isReadable: Bool
    package var isWritable: Bool
    /// The connection is closed in both directions, or failed.
    package var isBroken: Bool
    /// More input, or its end, may follow what one read returns. Edge-triggered polling does not report it again.
    package var mayHaveMore: Bool

    fileprivate init(_ event: presign_event) { self.init(token: event.token, flags: event.readiness) }

    package init(token: UInt64, flags: UInt32) {
        self.token = token
        isReadable = flags & UInt32(PRESIGN_READABLE) != 0
        isWritable = flags & UInt32(PRESIGN_WRITABLE) != 0
        isBroken = flags & UInt32(PRESIGN_BROKEN) != 0
        mayHaveMore = flags & UInt32(PRESIGN_BROKEN | PRESIGN_MAY_HAVE_MORE) != 0
    }
}

/// Polls many descriptors for readiness: level-triggered, unless the interest is `edgeTriggered`.
package protocol ReadinessQueue: ~Copyable {
    /// Starts polling. The descriptor's events carry `token`.
    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Replaces the interest, or re-arms the same one; both report again what is already ready. An empty interest
    /// reports only the end of the connection.
    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Stops polling. Call it before closing the descriptor.
    mutating func remove(_ descriptor: Int32)
    /// Waits until a descriptor is ready, at most `milliseconds` (-1: forever). Returns the number of events.
    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int
    /// Returns one of the events of the last `wait`.
    func event(at index: Int) -> Readiness
}

/// A readiness queue on epoll(7), which owns the epoll descriptor.
package struct EpollQueue: ReadinessQueue, ~Copyable {
    /// The maximum number of events that one wait returns.
    package static let mostEvents = 1024

    private let queue: Int32
    private var events: [presign_event]

    package init() throws(SystemError) {
        queue = try SystemError.check(presign_epoll_create())
        events = Array(repeating: presign_event(), count: Self.mostEvents)
    }

    deinit { _ = presign_socket_close(queue) }

    package mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        _ = try SystemError.check(presign_epoll_add(queue, descriptor, UInt32(interest.rawValue), token))
    }

    package mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        _ = try SystemError.check(presign_epoll_modify(queue, descriptor, UInt32(interest.rawValue), token))
    }

    package mutating func remove(_ descriptor: Int32) { _ = presign_epoll_remove(queue, descriptor) }

    package mutating func wait(milliseconds: Int32) throws(SystemError) -> Int {
        let queue = queue
        // The kernel writes at most `count` events into the array, which outlives the call.
        return Int(
            try SystemError.check(
                unsafe events.withUnsafeMutableBufferPointer {
                    unsafe presign_epoll_wait(queue, $0.baseAddress, Int32($0.count), milliseconds)
                }))
    }

    package func event(at index: Int) -> Readiness { Readiness(events[index]) }
}

/// Ends the wait of a readiness queue from any thread.
package final class Waker: Sendable {
    /// Becomes readable with `wake`. Valid as long as this object lives.
    package let descriptor: Int32

    package init() throws(SystemError) { descriptor = try SystemError.check(presign_wake_create()) }

    deinit { _ = presign_socket_close(descriptor) }

    package func wake() { presign_wake(descriptor) }

    /// Makes the descriptor unreadable until the next `wake`.
    package func clear() { presign_wake_clear(descriptor) }
}
