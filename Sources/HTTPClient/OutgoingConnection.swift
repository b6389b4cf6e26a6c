private import CPlatform
import System

/// A connection to a server. Each wait ends at the deadline. `deinit` closes the connection.
struct OutgoingConnection: ~Copyable {
    /// Connected, non-blocking and owned by this value.
    let descriptor: Int32
    private var deadline: Deadline

    private init(owning descriptor: Int32, deadline: Deadline) {
        self.descriptor = descriptor
        self.deadline = deadline
    }

    /// Connects to an address.
    ///
    /// - Parameters:
    ///   - share: the deadline for connecting.
    ///   - deadline: the deadline for everything after that.
    static func connected(
        to address: PeerAddress, port: UInt16, within share: Deadline, by deadline: Deadline
    ) throws(FetchFailure) -> OutgoingConnection {
        let octets = address.octets
        // unsafe: the call reads exactly `count` bytes, which is 4 or 16 for an IP address.
        let descriptor = unsafe octets.withUnsafeBufferPointer {
            unsafe presign_socket_connect_tcp($0.baseAddress, Int32($0.count), port)
        }
        guard descriptor >= 0 else { throw .unreachable(text(of: -descriptor)) }
        var connection = OutgoingConnection(owning: descriptor, deadline: share)
        try connection.wait(for: POLLOUT)
        let result = presign_socket_connected(descriptor)
        guard result == 0 else { throw .unreachable(text(of: -result)) }
        connection.deadline = deadline
        return connection
    }

    /// Connects to a Unix socket of this machine.
    static func connected(toSocketAt path: String, by deadline: Deadline) throws(FetchFailure) -> OutgoingConnection {
        // unsafe: the call reads a NUL-terminated copy of the path.
        let descriptor = unsafe presign_connect_unix(path, max(1, deadline.millisecondsLeft / 1000))
        guard descriptor >= 0 else { throw .unreachable(text(of: -descriptor)) }
        return OutgoingConnection(owning: descriptor, deadline: deadline)
    }

    deinit { _ = presign_socket_close(descriptor) }

    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws(FetchFailure) {
        var sent = 0
        while sent < bytes.count {
            // unsafe: the pointer stays inside the array, because sent < count.
            let result = unsafe bytes.withUnsafeBufferPointer {
                unsafe presign_socket_send(descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent)
            }
            if result >= 0 {
                sent += result
            } else if result == -Int(EAGAIN) {
                try wait(for: POLLOUT)
            } else {
                throw .broken(Self.text(of: Int32(-result)))
            }
        }
    }

    /// Waits for bytes and reads them into `buffer`. Returns their number; 0 at the end of input.
    func receive(into buffer: inout [UInt8]) throws(FetchFailure) -> Int {
        while true {
            try wait(for: POLLIN)
            // unsafe: the kernel writes at most `count` bytes into the array.
            let result = unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
            }
            if result >= 0 { return result }
            guard result == -Int(EAGAIN) else { throw .broken(Self.text(of: Int32(-result))) }
        }
    }

    /// Waits for an event. Checks the deadline even if the socket is ready, so a server cannot extend it by sending
    /// single bytes.
    private func wait(for events: Int32) throws(FetchFailure) {
        while true {
            let left = deadline.millisecondsLeft
            guard left > 0 else { throw .timedOut }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // unsafe: the call writes the local structure.
            let ready = unsafe presign_poll(&entry, 1, left)
            guard ready >= 0 else { throw .broken(Self.text(of: -ready)) }
            if ready > 0 { return }
        }
    }

    private static func text(of code: Int32) -> String { SystemError(code).description }
}
