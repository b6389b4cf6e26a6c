private import CPlatform
package import Text

/// System calls on non-blocking sockets.
package enum Socket {
    package enum Outcome {
        /// The number of bytes transferred; 0 at the end of input.
        case bytes(Int)
        /// The call would block (`EAGAIN`).
        case blocked
        case failed
    }

    /// Reads available bytes into `buffer`, at most its count.
    package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
        // unsafe: the kernel writes at most `count` bytes into the array.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
            })
    }

    /// Whether the peer has closed its side and all its bytes have been read.
    package static func hasEnded(_ descriptor: Int32) -> Bool { presign_socket_has_ended(descriptor) }

    /// Sends as many bytes of a part of `buffer` as possible without blocking.
    package static func send(_ descriptor: Int32, _ buffer: [UInt8], _ part: Range<Int>) -> Outcome {
        let bytes = buffer.span.extracting(part)
        // unsafe: the kernel only reads the span's bytes.
        return outcome(
            unsafe bytes.withUnsafeBufferPointer { unsafe presign_socket_send(descriptor, $0.baseAddress, $0.count) })
    }

    /// Sends as many of a file's bytes as possible without blocking.
    package static func send(_ descriptor: Int32, file: Int32, from position: Int, count: Int) -> Outcome {
        outcome(presign_socket_send_file(descriptor, file, Int64(position), count))
    }

    /// Reads at most `count` bytes of a file into the beginning of `buffer`.
    package static func read(_ file: Int32, from position: Int, into buffer: inout [UInt8], count: Int) -> Outcome {
        // unsafe: the kernel writes at most `buffer.count` bytes into the array.
        outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_read_file(file, Int64(position), $0.baseAddress, min(count, $0.count))
            })
    }

    private static func outcome(_ result: Int) -> Outcome {
        if result >= 0 { return .bytes(result) }
        return result == -Int(EAGAIN) || result == -Int(EWOULDBLOCK) ? .blocked : .failed
    }

    /// Ends the output of a connection; its input stays open.
    package static func finishWriting(_ descriptor: Int32) { _ = presign_socket_finish_writing(descriptor) }

    package static func close(_ descriptor: Int32) { _ = presign_socket_close(descriptor) }

    package enum Accepted {
        /// The descriptor of a new connection and its peer.
        case connection(Int32, PeerAddress)
        /// No connection is waiting.
        case none
        /// The waiting connection failed before it was accepted.
        case gone
        /// The connection keeps waiting, because descriptors or memory are exhausted or a firewall forbids it.
        case unavailable
    }

    /// Accepts the next connection of a listener.
    package static func accept(_ listener: Int32) -> Accepted {
        var peer = presign_peer()
        // unsafe: the call writes the local structure.
        let result = unsafe presign_socket_accept(listener, &peer)
        return result < 0 ? accepted(failing: -result) : .connection(result, PeerAddress(peer))
    }

    /// Classifies an error of accept(2); see its sections "Error handling" and "Errors".
    static func accepted(failing code: Int32) -> Accepted {
        switch code {
        // EINVAL: the socket no longer listens.
        case EAGAIN, EWOULDBLOCK, EINVAL: .none
        case ECONNABORTED, EPROTO, ENETDOWN, ENETUNREACH, EHOSTDOWN, EHOSTUNREACH, ENOPROTOOPT: .gone
        default: .unavailable
        }
    }
}

extension IPAddress {
    /// Binds a TCP socket to this address.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - isShared: whether other sockets with this option may bind the same port.
    /// - Returns: the socket's descriptor; the caller closes it.
    package func bind(port: UInt16, isShared: Bool) throws(SystemError) -> Int32 {
        // unsafe: the call reads exactly `count` bytes.
        try SystemError.check(
            unsafe octets.withUnsafeBufferPointer {
                unsafe presign_socket_bind_tcp($0.baseAddress, Int32($0.count), port, isShared)
            })
    }
}
