private import CPlatform
package import Text

/// A non-blocking socket. This object owns it: the last reference closes it.
package final class Socket: Sendable {
    package enum Outcome {
        /// The number of bytes transferred; 0 at the end of input.
        case bytes(Int)
        /// The call would block (`EAGAIN`).
        case blocked
        case failed(SystemError)
    }

    package enum Accepted {
        /// A new connection and its peer.
        case connection(Socket, PeerAddress)
        /// No connection is waiting.
        case none
        /// The waiting connection failed before it was accepted.
        case gone
        /// The connection keeps waiting, because descriptors or memory are exhausted or a firewall forbids it.
        case unavailable
    }

    /// For polling, TLS and socket options. Valid as long as this object lives.
    package let descriptor: Int32

    /// Takes ownership of a descriptor.
    package init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { _ = presign_socket_close(descriptor) }

    /// Binds a TCP socket to an address.
    ///
    /// - Parameters:
    ///   - port: 0 for any free port.
    ///   - isShared: whether other sockets with this option may bind the same port.
    package static func bound(to address: IPAddress, port: UInt16, isShared: Bool) throws(SystemError) -> Socket {
        // unsafe: the call reads exactly `count` bytes.
        let result = unsafe address.octets.withUnsafeBufferPointer {
            unsafe presign_socket_bind_tcp($0.baseAddress, Int32($0.count), port, isShared)
        }
        return Socket(owning: try SystemError.check(result))
    }

    /// Binds a Unix socket to a path and gives its file the mode.
    package static func bound(toPath path: String, mode: UInt16) throws(SystemError) -> Socket {
        // unsafe: the call reads a NUL-terminated copy of the path.
        Socket(owning: try SystemError.check(unsafe presign_socket_bind_unix(path, mode)))
    }

    /// Takes ownership of a listening socket that another process has bound. Returns it with the address as text and the
    /// port, or the path and nil.
    package static func adopted(
        _ descriptor: Int32
    ) throws(SystemError) -> (socket: Socket, name: String, port: UInt16?) {
        var name = [CChar](repeating: 0, count: Int(PRESIGN_LONGEST_NAME))
        var port: UInt16 = 0
        // unsafe: the call writes the port and at most PRESIGN_LONGEST_NAME bytes, including the terminating NUL.
        let family = try SystemError.check(
            unsafe name.withUnsafeMutableBufferPointer {
                unsafe presign_socket_adopt(descriptor, $0.baseAddress, &port)
            })
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (Socket(owning: descriptor), text, family == 0 ? nil : port)
    }

    /// Starts to listen, or changes the length of the queue.
    package func listen(backlog: Int32) throws(SystemError) {
        _ = try SystemError.check(presign_socket_listen(descriptor, backlog))
    }

    /// The port to which a TCP socket is bound.
    package var port: UInt16 { UInt16(truncatingIfNeeded: presign_socket_port(descriptor)) }

    /// Removes the file of a Unix socket.
    package static func removeFile(at path: String) {
        // unsafe: the call reads a NUL-terminated copy of the path.
        _ = unsafe presign_socket_unlink(path)
    }

    /// Blocks SIGPIPE in this thread, so that a send to a closed connection fails instead.
    package static func blockBrokenPipeSignal() { presign_socket_block_sigpipe() }

    /// Starts to connect to an address. On success or failure the socket becomes writable; then call `finishConnecting`.
    package static func connecting(to address: PeerAddress, port: UInt16) throws(SystemError) -> Socket {
        // unsafe: the call reads exactly `count` bytes, which is 4 or 16 for an IP address.
        let result = unsafe address.octets.withUnsafeBufferPointer {
            unsafe presign_socket_connect_tcp($0.baseAddress, Int32($0.count), port)
        }
        return Socket(owning: try SystemError.check(result))
    }

    /// Throws if the attempt to connect failed.
    package func finishConnecting() throws(SystemError) {
        _ = try SystemError.check(presign_socket_connected(descriptor))
    }

    /// Connects to a Unix socket. Waits at most `timeout` seconds while the listener's queue is full.
    package static func connected(toPath path: String, timeout: Int32) throws(SystemError) -> Socket {
        // unsafe: the call reads a NUL-terminated copy of the path.
        Socket(owning: try SystemError.check(unsafe presign_connect_unix(path, timeout)))
    }

    /// Waits until the socket is readable or writable, or has failed. Returns false after the time or an interruption.
    package func wait(toWrite: Bool, milliseconds: Int32) throws(SystemError) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
        // unsafe: the call writes the local structure.
        return try SystemError.check(unsafe presign_poll(&entry, 1, milliseconds)) > 0
    }

    /// Reads available bytes into `buffer`, at most its count.
    package func receive(into buffer: inout [UInt8]) -> Outcome {
        // unsafe: the kernel writes at most `count` bytes into the array.
        Self.outcome(
            unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
            })
    }

    /// Whether the peer has closed its side and all its bytes have been read.
    package var hasEnded: Bool { presign_socket_has_ended(descriptor) }

    /// Sends as many bytes of a part of `buffer` as possible without blocking.
    package func send(_ buffer: [UInt8], _ part: Range<Int>) -> Outcome {
        let bytes = buffer.span.extracting(part)
        // unsafe: the kernel only reads the span's bytes.
        return Self.outcome(
            unsafe bytes.withUnsafeBufferPointer { unsafe presign_socket_send(descriptor, $0.baseAddress, $0.count) })
    }

    /// Sends as many of a file's bytes as possible without blocking.
    package func send(_ file: OpenFile, from position: Int, count: Int) -> Outcome {
        Self.outcome(presign_socket_send_file(descriptor, file.descriptor, Int64(position), count))
    }

    private static func outcome(_ result: Int) -> Outcome {
        guard result < 0 else { return .bytes(result) }
        let code = Int32(truncatingIfNeeded: -result)
        if code == EAGAIN || code == EWOULDBLOCK { return .blocked }
        // An owned descriptor is open and a socket, so another owner of the same number must have closed it.
        precondition(code != EBADF && code != ENOTSOCK, "a socket was closed by code that does not own it")
        return .failed(SystemError(code))
    }

    /// Ends the output of a connection; its input stays open.
    package func finishWriting() { _ = presign_socket_finish_writing(descriptor) }

    /// Accepts the next connection of a listener.
    package func accept() -> Accepted {
        var peer = presign_peer()
        // unsafe: the call writes the local structure.
        let result = unsafe presign_socket_accept(descriptor, &peer)
        return result < 0 ? Self.accepted(failing: -result) : .connection(Socket(owning: result), PeerAddress(peer))
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
