import CPlatform
import HTTP1
import System

/// What a descriptor is watched for.
struct Interest: OptionSet, Sendable {
    /// A byte, as there is one for each connection.
    let rawValue: UInt8

    static let read = Interest(rawValue: UInt8(PRESIGN_READABLE))
    static let write = Interest(rawValue: UInt8(PRESIGN_WRITABLE))
    /// Only one of the loops that watch the same listener needs to wake.
    static let exclusive = Interest(rawValue: UInt8(PRESIGN_EXCLUSIVE))
    /// To be told once of what has come is enough, as it is all read then. It saves the kernel a look at each descriptor
    /// in the next iteration.
    static let once = Interest(rawValue: UInt8(PRESIGN_ONCE))
}

/// A descriptor that is ready.
struct Readiness: Sendable {
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
    /// Gone in both directions, or failed.
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

/// Readiness of many descriptors, told as long as it lasts, or once to whom that is enough.
protocol ReadinessQueue: ~Copyable {
    /// Starts watching; the token comes back with the descriptor's events.
    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Watches for something else from now on, or for the same anew: what is ready already is told of in either case. With
    /// no interest only for the connection's end.
    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Stops watching. Must come before the descriptor is closed.
    mutating func remove(_ descriptor: Int32)
    /// Waits until something is ready, at most so many milliseconds (-1: for ever). Returns how many events there are.
    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int
    /// One of the events of the last `wait`.
    func event(at index: Int) -> Readiness
}
