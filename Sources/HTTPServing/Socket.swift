private import CSockets

/// The calls on a connected socket. Results below 0 are negated errno values; `EAGAIN` is told apart as `.blocked`.
enum Socket {
    enum Outcome {
        case bytes(Int)
        case blocked
        case failed
    }

    /// Reads into `buffer`, as much as it has room for.
    static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        // The kernel writes at most `count` bytes into the array.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe sockets_receive(descriptor, $0.baseAddress, $0.count)
            })
    }

    /// Sends what it can of `buffer` from `start` on.
    static func send(_ descriptor: Int32, _ buffer: [UInt8], from start: Int) -> Outcome {
        // `start` is at most `count`; the kernel only reads the array.
        outcome(
            unsafe buffer.withUnsafeBufferPointer { bytes in
                let rest = unsafe bytes[min(start, bytes.count)...]
                let all = unsafe UnsafeBufferPointer(rebasing: rest)
                return unsafe sockets_send(descriptor, all.baseAddress, all.count)
            })
    }

    /// Sends what it can of a file's bytes.
    static func send(_ descriptor: Int32, file: Int32, from position: Int, count: Int) -> Outcome {
        outcome(sockets_send_file(descriptor, file, Int64(position), count))
    }

    /// Reads what it can of a file's bytes, at most `count`, into the beginning of `buffer`.
    static func read(_ file: Int32, from position: Int, into buffer: inout [UInt8], count: Int) -> Outcome {
        // The kernel writes at most as many bytes as the array has.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe sockets_read_file(file, Int64(position), $0.baseAddress, min(count, $0.count))
            })
    }

    private static func outcome(_ result: Int) -> Outcome {
        if result >= 0 { return .bytes(result) }
        return result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK) ? .blocked : .failed
    }

    static func finishWriting(_ descriptor: Int32) { _ = sockets_finish_writing(descriptor) }

    static func close(_ descriptor: Int32) { _ = sockets_close(descriptor) }

    /// How many connections wait to be accepted; 0 if that is not known.
    static func waiting(_ listener: Int32) -> Int { Int(sockets_waiting(listener)) }

    enum Accepted {
        case connection(Int32, PeerAddress)
        case none
        /// The one that was waiting is gone.
        case gone
        /// No descriptor or memory is left for it.
        case exhausted
    }

    static func accept(_ listener: Int32) -> Accepted {
        var peer = sockets_peer()
        let result = unsafe sockets_accept(listener, &peer)
        guard result < 0 else { return .connection(result, PeerAddress(peer)) }
        switch -result {
        case EAGAIN, EWOULDBLOCK: return .none
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
        default: return .gone
        }
    }
}
