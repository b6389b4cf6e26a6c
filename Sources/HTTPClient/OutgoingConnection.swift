private import CPlatform
import System

/// A TCP connection to a server; every wait ends with the deadline. Closed when it goes.
struct OutgoingConnection: ~Copyable {
    /// Connected and non-blocking; its own.
    let descriptor: Int32
    private var deadline: Deadline

    private init(owning descriptor: Int32, deadline: Deadline) {
        self.descriptor = descriptor
        self.deadline = deadline
    }

    /// Connects to exactly this address.
    ///
    /// - Parameters:
    ///   - share: for the connection to be made.
    ///   - deadline: for all that comes after that.
    static func connected(
        to address: PeerAddress, port: UInt16, within share: Deadline, by deadline: Deadline
    ) throws(FetchFailure) -> OutgoingConnection {
        let octets = address.octets
        // The function reads exactly `count` bytes, which are 4 or 16: the resolver has no others.
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

    deinit { _ = presign_socket_close(descriptor) }

    /// Sends all of it.
    func send(_ bytes: [UInt8]) throws(FetchFailure) {
        var sent = 0
        while sent < bytes.count {
            // The pointer stays inside the array: sent < count.
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

    /// Reads what is there into `buffer`, as much as it has room for: how many bytes; 0 at the end.
    func receive(into buffer: inout [UInt8]) throws(FetchFailure) -> Int {
        while true {
            try wait(for: POLLIN)
            // The kernel writes at most `count` bytes into the array.
            let result = unsafe buffer.withUnsafeMutableBufferPointer {
                unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
            }
            if result >= 0 { return result }
            guard result == -Int(EAGAIN) else { throw .broken(Self.text(of: Int32(-result))) }
        }
    }

    /// Also when something is there at once: a server that sends a byte now and then must not go on forever.
    private func wait(for events: Int32) throws(FetchFailure) {
        while true {
            let left = deadline.millisecondsLeft
            guard left > 0 else { throw .timedOut }
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            // The kernel writes into the structure on our stack.
            let ready = unsafe presign_poll(&entry, 1, left)
            guard ready >= 0 else { throw .broken(Self.text(of: -ready)) }
            if ready > 0 { return }
        }
    }

    private static func text(of code: Int32) -> String { SystemError(code).description }
}
