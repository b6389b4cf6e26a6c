private import Glibc
package import System

/// Why a server did not start, or a text is not an address. Names the address, what is wrong and how to fix it.
package struct HTTPServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// One line for the operator.
    package let description: String

    package init(description: String) { self.description = description }

    package init(binding address: ListenAddress, _ error: SystemError) {
        let advice =
            switch error.code {
            case EADDRINUSE: "the address is in use: stop the other server, or choose another port or path"
            case EACCES, EPERM:
                "permission denied: choose a port of 1024 or above, or a directory this user may write to"
            case EADDRNOTAVAIL: "this machine does not have that address: choose one that it has, or 0.0.0.0"
            case EAFNOSUPPORT: "this machine does not support IPv6: choose an IPv4 address"
            case ENAMETOOLONG: "the path is too long for a Unix socket: choose one of at most 100 bytes"
            case ENOENT: "the directory does not exist: create it first"
            case EMFILE, ENFILE: "no file descriptors are left: raise the limit (ulimit -n)"
            case EINVAL: "not an IP address: use a literal such as 127.0.0.1, or localhost"
            default: "\(error)"
            }
        self.init(description: "cannot listen on \(address): \(advice)")
    }

    package init(inheriting descriptor: Int32, _ error: SystemError) {
        let reason =
            switch error.code {
            case ESOCKTNOSUPPORT: "it is not a TCP or Unix stream socket: use ListenStream"
            case EINVAL: "it is not a listening socket: use Accept=no"
            case ENOTSOCK: "it is not a socket"
            default: "\(error)"
            }
        self.init(description: "cannot listen on inherited descriptor \(descriptor): \(reason)")
    }

    package init(starting error: SystemError) {
        self.init(
            description:
                "cannot run an event loop: \(error); if the file descriptor limit is too low, raise it (ulimit -n)")
    }
}
