import Glibc

/// Descriptors 0, 1 and 2: standard input, output and error.
package enum StandardDescriptors {
    /// Opens `/dev/null` on each of them that is closed. Call this before the process opens any descriptor.
    ///
    /// The kernel gives a new file or socket the lowest free number. Without this call, text for standard output could
    /// end up in the first file or socket that the process opens.
    ///
    /// - Throws: `SystemError` if `/dev/null` cannot be opened.
    package static func openClosed() throws(SystemError) {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // All lower descriptors are open, so the kernel returns this one. unsafe: the path is only read.
            guard unsafe open("/dev/null", O_RDWR) == descriptor else { throw SystemError(errno) }
        }
    }
}
