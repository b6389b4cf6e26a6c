private import CPlatform
import HTTP1
package import System

/// Why a server did not start. The text names the address or the setting, what is wrong, and how to mend it.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line, for whoever starts the server.
    package let description: String

    package init(description: String) { self.description = description }

    package init(binding address: ListenAddress, _ error: SystemError) {
        let advice =
            switch error.code {
            case EADDRINUSE: "the address is in use: stop the other server, or choose another port or path"
            case EACCES, EPERM:
                "permission denied: choose a port of 1024 or above, or a directory this user may write to"
            case EADDRNOTAVAIL: "this machine has no such address: choose one of its own, or 0.0.0.0"
            case EAFNOSUPPORT: "this machine has no IPv6: choose an IPv4 address"
            case ENAMETOOLONG: "the path is too long for a Unix socket: choose one of at most 100 bytes"
            case ENOENT: "the directory does not exist: create it first"
            case EMFILE, ENFILE: "no file descriptors are left: raise the limit (ulimit -n)"
            case EINVAL: "it is no IP address: write a literal, or localhost"
            default: "system error \(error.code)"
            }
        self.init(description: "cannot listen on \(address): \(advice)")
    }

    package init(inheriting descriptor: Int32, _ error: SystemError) {
        let reason =
            switch error.code {
            case ESOCKTNOSUPPORT: "it is no stream socket of TCP or Unix: use ListenStream"
            case EINVAL: "it does not listen: use Accept=no"
            case ENOTSOCK: "it is no socket"
            default: "system error \(error.code)"
            }
        self.init(description: "cannot listen on descriptor \(descriptor), which was handed over: \(reason)")
    }

    package init(starting error: SystemError) {
        self.init(
            description:
                "cannot run an event loop: system error \(error.code); is the limit of file descriptors too low?")
    }
}
