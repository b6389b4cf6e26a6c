import CSockets

/// poll(2): on every system, at a cost that grows with the number of connections.
struct PollQueue: ReadinessQueue, ~Copyable {
    private var entries: [pollfd] = []
    private var tokens: [UInt64] = []
    /// Where a descriptor's entry stands.
    private var positions: [Int32: Int] = [:]
    private var ready: [Readiness] = []

    mutating func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        positions[descriptor] = entries.count
        entries.append(pollfd(fd: descriptor, events: Self.events(interest), revents: 0))
        tokens.append(token)
    }

    mutating func change(_ descriptor: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        guard let position = positions[descriptor] else { throw SystemError(code: ENOENT) }
        entries[position].events = Self.events(interest)
        tokens[position] = token
    }

    /// The last entry takes the free place.
    mutating func remove(_ descriptor: Int32) {
        guard let position = positions.removeValue(forKey: descriptor) else { return }
        entries.swapAt(position, entries.count - 1)
        tokens.swapAt(position, tokens.count - 1)
        entries.removeLast()
        tokens.removeLast()
        if position < entries.count { positions[entries[position].fd] = position }
    }

    mutating func wait(milliseconds: Int32) throws(SystemError) -> Int {
        // The kernel writes into the entries of this array only.
        let count = try SystemError.check(
            unsafe entries.withUnsafeMutableBufferPointer {
                unsafe sockets_poll($0.baseAddress, Int32($0.count), milliseconds)
            })
        ready.removeAll(keepingCapacity: true)
        guard count > 0 else { return 0 }
        for index in entries.indices where entries[index].revents != 0 {
            ready.append(Readiness(token: tokens[index], flags: Self.flags(entries[index].revents)))
        }
        return ready.count
    }

    func event(at index: Int) -> Readiness { ready[index] }

    private static func events(_ interest: Interest) -> Int16 {
        (interest.contains(.read) ? Int16(POLLIN) : 0) | (interest.contains(.write) ? Int16(POLLOUT) : 0)
    }

    private static func flags(_ events: Int16) -> UInt32 {
        var flags: UInt32 = 0
        if events & Int16(POLLIN) != 0 { flags |= UInt32(SOCKETS_READABLE) }
        if events & Int16(POLLOUT) != 0 { flags |= UInt32(SOCKETS_WRITABLE) }
        if events & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 { flags |= UInt32(SOCKETS_BROKEN) }
        return flags
    }
}
