private import CPlatform

/// The calls on a connected socket. Results below 0 are negated errno values; `EAGAIN` is told apart as `.blocked`.
package enum Socket {
    package enum Outcome {
        case bytes(Int)
        case blocked
        case failed
    }

    /// Reads into `buffer` as much as it has room for.
    package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        // The kernel writes at most as many bytes as the array has.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
            })
    }

    /// Whether all is read, and nothing more will come.
    package static func hasEnded(_ descriptor: Int32) -> Bool { presign_socket_has_ended(descriptor) }

    /// Sends what it can of a part of `buffer`.
    package static func send(_ descriptor: Int32, _ buffer: [UInt8], _ part: Range<Int>) -> Outcome {
        let bytes = buffer.span.extracting(part)
        // The kernel only reads the part.
        return outcome(
            unsafe bytes.withUnsafeBufferPointer { unsafe presign_socket_send(descriptor, $0.baseAddress, $0.count) })
    }

    /// Sends what it can of a file's bytes.
    package static func send(_ descriptor: Int32, file: Int32, from position: Int, count: Int) -> Outcome {
        outcome(presign_socket_send_file(descriptor, file, Int64(position), count))
    }

    /// Reads what it can of a file's bytes, at most `count`, into the beginning of `buffer`.
    package static func read(_ file: Int32, from position: Int, into buffer: inout [UInt8], count: Int) -> Outcome {
        // The kernel writes at most as many bytes as the array has.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_read_file(file, Int64(position), $0.baseAddress, min(count, $0.count))
            })
    }

    private static func outcome(_ result: Int) -> Outcome {
        if result >= 0 { return .bytes(result) }
        return result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK) ? .blocked : .failed
    }

    package static func finishWriting(_ descriptor: Int32) { _ = presign_socket_finish_writing(descriptor) }

    package static func close(_ descriptor: Int32) { _ = presign_socket_close(descriptor) }

    package enum Accepted {
        case connection(Int32, PeerAddress)
        case none
        /// The one that was waiting is gone.
        case gone
        /// It stays, and cannot be had just now: there is no descriptor or memory for it, or it is not allowed.
        case unavailable
    }

    package static func accept(_ listener: Int32) -> Accepted {
        var peer = presign_peer()
        // unsafe: the call fills the structure, which is ours.
        let result = unsafe presign_socket_accept(listener, &peer)
        return result < 0 ? accepted(failing: -result) : .connection(result, PeerAddress(peer))
    }

    /// What it means that none was had: accept(2), "Error handling" and "Errors".
    static func accepted(failing code: Int32) -> Accepted {
        switch code {
        // A listener that does not listen any more has none either.
        case EAGAIN, EWOULDBLOCK, EINVAL: .none
        case ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENOPROTOOPT: .gone
        default: .unavailable
        }
    }
}
