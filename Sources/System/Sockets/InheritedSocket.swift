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
