import CPlatform
import HTTP1
import System

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
