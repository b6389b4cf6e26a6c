import CSockets

/// What a descriptor is watched for.
struct Interest: OptionSet, Sendable {
    let rawValue: UInt32

    static let read = Interest(rawValue: UInt32(SOCKETS_READABLE))
    static let write = Interest(rawValue: UInt32(SOCKETS_WRITABLE))
    /// Only one of the loops that watch the same listener needs to wake.
    static let exclusive = Interest(rawValue: UInt32(SOCKETS_EXCLUSIVE))
}

/// A descriptor that is ready.
struct Readiness: Sendable {
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
    /// Gone in both directions, or failed.
    var isBroken: Bool

    init(_ event: sockets_event) { self.init(token: event.token, flags: event.readiness) }

    init(token: UInt64, flags: UInt32) {
        self.token = token
        isReadable = flags & UInt32(SOCKETS_READABLE) != 0
        isWritable = flags & UInt32(SOCKETS_WRITABLE) != 0
        isBroken = flags & UInt32(SOCKETS_BROKEN) != 0
    }
}

/// Level-triggered readiness of many descriptors.
protocol ReadinessQueue: ~Copyable {
    /// Starts watching; the token comes back with the descriptor's events.
    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Watches for something else from now on; with no interest only for the connection's end.
    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError)
    /// Stops watching. Must come before the descriptor is closed.
    mutating func remove(_ descriptor: Int32)
    /// Waits until something is ready, at most so many milliseconds (-1: for ever). Returns how many events there are.
    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int
    /// One of the events of the last `wait`.
    func event(at index: Int) -> Readiness
}
