import Glibc

/// Whether this machine has IPv6, which many containers lack.
package enum IPv6 {
    /// Checked with a plain socket, so that a defect of the listener cannot disable its own tests.
    package static let isAvailable = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_addr = in6addr_loopback
        // The call reads the structure, whose size is passed.
        return unsafe withUnsafePointer(to: &name) {
            unsafe bind(
                descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
        }
    }()

    /// An address with a free port on the IPv6 loopback interface; empty without IPv6.
    package static let loopback = isAvailable ? ["[::1]:0"] : []
}
