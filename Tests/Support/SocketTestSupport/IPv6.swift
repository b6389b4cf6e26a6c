import Glibc

/// Whether this machine speaks IPv6: many containers do not.
package enum IPv6 {
    /// Asked of the system and not of a listener, whose failure would take its own tests away.
    package static let isThere = {
        let descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var name = sockaddr_in6()
        name.sin6_family = sa_family_t(AF_INET6)
        name.sin6_addr = in6addr_loopback
        // The call reads the structure, of which it is given the size.
        return unsafe withUnsafePointer(to: &name) {
            unsafe bind(
                descriptor, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in6>.size)) == 0
        }
    }()

    /// A free port of its loopback address, where there is one.
    package static let loopback = isThere ? ["[::1]:0"] : []
}
