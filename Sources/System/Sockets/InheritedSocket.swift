import Glibc

/// A socket that the process was started with: socket activation as systemd does it (sd_listen_fds(3)).
package struct InheritedSocket: Sendable, Equatable {
    /// Open, and closed when another program is started.
    package let descriptor: Int32
    /// What the unit calls it; a unit that says nothing calls it by its own name.
    package let name: String

    /// Variables that contradict each other, or the descriptors.
    package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
        /// What is wrong.
        package let description: String
    }

    /// The first one, always.
    static let firstDescriptor: Int32 = 3

    /// What LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES tell this process of; none when they are another's, or absent.
    package static func parse(
        process: Int32, environment: (String) -> String?
    ) throws(Failure) -> [InheritedSocket] {
        guard let owner = environment("LISTEN_PID"), let number = environment("LISTEN_FDS") else { return [] }
        guard owner == "\(process)" else { return [] }
        guard let count = Int32(number), (0...1024).contains(count) else {
            throw Failure(description: "LISTEN_FDS is '\(number)', and must be a number from 0 to 1024")
        }
        var names = Array(repeating: "unknown", count: Int(count))
        if let given = environment("LISTEN_FDNAMES") {
            let parts = given.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == names.count || count == 0 else {
                throw Failure(description: "LISTEN_FDNAMES names \(parts.count) sockets, and LISTEN_FDS says \(count)")
            }
            if count > 0 { names = parts }
        }
        return zip(firstDescriptor..., names).map { InheritedSocket(descriptor: $0, name: $1) }
    }

    /// The sockets this process was started with, in the unit's order. They are nobody else's, so the variables are
    /// taken from the environment: call it before there is a second thread.
    package static func takeOver() throws(Failure) -> [InheritedSocket] {
        defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { Environment.remove(name) } }
        let sockets = try parse(process: getpid(), environment: Environment.value)
        for socket in sockets {
            // Also tells whether it is open.
            guard fcntl(socket.descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
                throw Failure(
                    description: "LISTEN_FDS says \(sockets.count), but descriptor \(socket.descriptor) is not open")
            }
        }
        return sockets
    }
}
