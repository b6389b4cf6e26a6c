import CPlatform
import HTTP1
import System

/// The events that a descriptor is polled for.
struct Interest: OptionSet, Sendable {
    let rawValue: UInt8

    static let read = Interest(rawValue: UInt8(PRESIGN_READABLE))
    static let write = Interest(rawValue: UInt8(PRESIGN_WRITABLE))
    /// Wakes only one of the loops that poll the same listener.
    static let exclusive = Interest(rawValue: UInt8(PRESIGN_EXCLUSIVE))
    /// Reports input once when it arrives (edge-triggered), for descriptors from which one read takes all input.
    static let edgeTriggered = Interest(rawValue: UInt8(PRESIGN_ONCE))
}

/// A descriptor that is ready.
struct Readiness: Sendable {
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
    /// The connection is closed in both directions, or failed.
    var isBroken: Bool
    /// More input, or its end, may follow what one read returns. Edge-triggered polling does not report it again.
    var mayHaveMore: Bool

    init(_ event: presign_event) { self.init(token: event.token, flags: event.readiness) }

    init(token: UInt64, flags: UInt32) {
        self.token = token
        isReadable = flags & UInt32(PRESIGN_READABLE) != 0
        isWritable = flags & UInt32(PRESIGN_WRITABLE) != 0
        isBroken = flags & UInt32(PRESIGN_BROKEN) != 0
        mayHaveMore = flags & UInt32(PRESIGN_BROKEN | PRESIGN_MAY_HAVE_MORE) != 0
    }
}

/// Polls many descriptors for readiness: level-triggered, unless the interest is `edgeTriggered`.
protocol ReadinessQueue: ~Copyable {
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
struct EpollQueue: ReadinessQueue, ~Copyable {
    /// The maximum number of events that one wait returns.
    static let mostEvents = 1024

    private let queue: Int32
    private var events: [presign_event]

    init() throws(SystemError) {
        queue = try SystemError.check(presign_epoll_create())
        events = Array(repeating: presign_event(), count: Self.mostEvents)
    }

    deinit { _ = presign_socket_close(queue) }

    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        _ = try SystemError.check(presign_epoll_add(queue, descriptor, UInt32(interest.rawValue), token))
    }

    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        _ = try SystemError.check(presign_epoll_modify(queue, descriptor, UInt32(interest.rawValue), token))
    }

    mutating func remove(_ descriptor: Int32) { _ = presign_epoll_remove(queue, descriptor) }

    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int {
        let queue = queue
        // The kernel writes at most `count` events into the array, which outlives the call.
        return Int(
            try SystemError.check(
                unsafe events.withUnsafeMutableBufferPointer {
                    unsafe presign_epoll_wait(queue, $0.baseAddress, Int32($0.count), milliseconds)
                }))
    }

    func event(at index: Int) -> Readiness { Readiness(events[index]) }
}
