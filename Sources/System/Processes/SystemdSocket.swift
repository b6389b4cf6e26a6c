import CPlatform
import Glibc

/// The service manager that started the process and waits to hear how it goes: systemd, or whoever speaks its protocol,
/// one datagram for each message (sd_notify(3)).
package struct SystemdSocket: Sendable, Equatable {
    /// What it can be told.
    package enum Message: Sendable, Equatable {
        /// The service answers; the status is one line for people.
        case ready(status: String)
        /// The configuration is being read again, since this time of the monotonic clock in microseconds; `ready`
        /// follows.
        case reloading(since: UInt64)
        /// The service is about to end.
        case stopping
        /// A sign of life.
        case alive
    }

    /// Microseconds within which it wants a sign of life, again and again; nil when it wants none.
    package let watchdogInterval: UInt64?
    private let address: String

    /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID; nil without the first.
    ///
    /// - Parameter process: the number of this process; signs of life may be wanted of another.
    package init?(process: Int32, environment: (String) -> String?) {
        guard let address = environment("NOTIFY_SOCKET"), !address.isEmpty else { return nil }
        self.address = address
        let isMeant = environment("WATCHDOG_PID").map { $0 == "\(process)" } ?? true
        let interval = environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
        watchdogInterval = isMeant && interval > 0 ? interval : nil
    }

    /// The manager of this process, if it has one. Programs started from here are not to speak in its name, so the
    /// variables are taken from the environment: call it before there is a second thread.
    package static func takeOver() -> SystemdSocket? {
        let manager = SystemdSocket(process: getpid(), environment: Environment.value)
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { Environment.remove(name) }
        return manager
    }

    /// Sends a message.
    ///
    /// - Throws: `SystemError` when nobody takes it; `EAFNOSUPPORT` for a manager behind another kind of socket.
    package func tell(_ message: Message) throws(SystemError) {
        let bytes = Array(message.text.utf8)
        // The pointer is used within the call only, with the array's own count.
        let result = unsafe bytes.withUnsafeBytes { unsafe presign_send_datagram(address, $0.baseAddress, $0.count) }
        guard result == 0 else { throw SystemError(-result) }
    }

    /// The monotonic clock as `Message.reloading` wants it.
    package static func monotonicMicroseconds() -> UInt64 { presign_monotonic_microseconds() }
}

extension SystemdSocket.Message {
    /// As it is sent: assignments, one a line.
    package var text: String {
        switch self {
        case .ready(let status):
            "READY=1\nSTATUS=\(String(decoding: status.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self))\n"
        case .reloading(let time): "RELOADING=1\nMONOTONIC_USEC=\(time)\nSTATUS=reading the configuration again\n"
        case .stopping: "STOPPING=1\nSTATUS=answering what is in flight\n"
        case .alive: "WATCHDOG=1\n"
        }
    }
}
