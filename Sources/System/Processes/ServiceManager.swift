import CPlatform
import Glibc

/// A socket passed by the service manager: systemd socket activation (sd_listen_fds(3)).
package struct InheritedSocket: Sendable, Equatable {
    /// Open, with close-on-exec set.
    package let descriptor: Int32
    /// The name from the socket unit (`FileDescriptorName=`), by default the unit's own name.
    package let name: String

    /// The variables contradict each other, or a descriptor is not open.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    /// The first descriptor (SD_LISTEN_FDS_START).
    static let firstDescriptor: Int32 = 3

    /// Parses LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES. Returns no sockets if the variables are not set or belong to
    /// another process.
    package static func parse(
        process: Int32, environment: (String) -> String?
    ) throws(Failure) -> [InheritedSocket] {
        guard let owner = environment("LISTEN_PID"), let number = environment("LISTEN_FDS") else { return [] }
        guard owner == "\(process)" else { return [] }
        guard let count = Int32(number), (0...1024).contains(count) else {
            throw Failure(description: "LISTEN_FDS is '\(number)', but must be a number from 0 to 1024")
        }
        var names = Array(repeating: "unknown", count: Int(count))
        if let list = environment("LISTEN_FDNAMES") {
            let parts = list.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == names.count || count == 0 else {
                throw Failure(description: "LISTEN_FDNAMES has \(parts.count) names, but LISTEN_FDS is \(count)")
            }
            if count > 0 { names = parts }
        }
        return zip(firstDescriptor..., names).map { InheritedSocket(descriptor: $0, name: $1) }
    }

    /// Returns the sockets passed to this process, in the unit's order, and removes the variables from the environment,
    /// so child processes do not use them. Call this while the process has one thread.
    package static func takeOver() throws(Failure) -> [InheritedSocket] {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { Environment.remove(name) } }
        let sockets = try parse(process: getpid(), environment: Environment.value)
        for socket in sockets {
            // Fails if the descriptor is not open.
            guard fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw Failure(
                    description: "LISTEN_FDS is \(sockets.count), but descriptor \(socket.descriptor) is not open")
            }
        }
        return sockets
    }
}

/// The notification socket of the service manager that started the process: systemd, or another that implements
/// sd_notify(3). Each message is one datagram.
package struct SystemdSocket: Sendable, Equatable {
    /// A message to the service manager.
    package enum Message: Sendable, Equatable {
        /// The service accepts requests. The status is one human-readable line.
        case ready(status: String)
        /// A reload started at this time of the monotonic clock, in microseconds. `ready` follows.
        case reloading(since: UInt64)
        /// The service is shutting down.
        case stopping
        /// The watchdog's keep-alive ping.
        case alive
    }

    /// The watchdog timeout in microseconds: the service manager expects `alive` at least this often. Nil without a
    /// watchdog.
    package let watchdogInterval: UInt64?
    private let address: String

    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; nil if NOTIFY_SOCKET is not set.
    ///
    /// - Parameter process: the id of this process. WATCHDOG_PID may be the id of another.
    package init?(process: Int32, environment: (String) -> String?) {
        guard let address = environment("NOTIFY_SOCKET"), !address.isEmpty else { return nil }
        self.address = address
        let isWatched = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
        let interval = environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
        watchdogInterval = isWatched && interval > 0 ? interval : nil
    }

    /// Returns the notification socket of this process, if there is one, and removes the variables from the
    /// environment, so child processes cannot send messages in its name. Call this while the process has one thread.
    package static func takeOver() -> SystemdSocket? {
        let manager = SystemdSocket(process: getpid(), environment: Environment.value)
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { Environment.remove(name) }
        return manager
    }

    /// Sends a message.
    ///
    /// - Throws: `SystemError` if it cannot be delivered; `EAFNOSUPPORT` if the address is not a Unix socket.
    package func tell(_ message: Message) throws(SystemError) {
        let bytes = Array(message.text.utf8)
        // unsafe: the pointer is used only during the call, with the array's count.
        let result = unsafe bytes.withUnsafeBytes { unsafe presign_send_datagram(address, $0.baseAddress, $0.count) }
        guard result == 0 else { throw SystemError(-result) }
    }

    /// Returns the time of the monotonic clock for `Message.reloading`.
    package static func monotonicMicroseconds() -> UInt64 { presign_monotonic_microseconds() }
}

extension SystemdSocket.Message {
    /// The datagram's content: one assignment per line.
    package var text: String {
        switch self {
        case .ready(let status):
            "READY=1\nSTATUS=\(String(decoding: status.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))\n"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\nSTATUS=reloading the configuration\n"
        case .stopping: "STOPPING=1\nSTATUS=finishing requests in flight\n"
        case .alive: "WATCHDOG=1\n"
        }
    }
}
