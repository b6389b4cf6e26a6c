import Glibc

/// Descriptors 0, 1 and 2: standard input, output and error.
package enum StandardDescriptors {
    /// Opens `/dev/null` on those that are closed. Call it before anything else opens a descriptor.
    ///
    /// The kernel gives a new file or socket the lowest free number. Without this, whatever is opened first would receive
    /// what the process writes to its standard output.
    ///
    /// - Throws: `SystemError` if one is closed and `/dev/null` cannot be opened.
    package static func openClosed() throws(SystemError) {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // unsafe: the path is only read. All lower numbers are open, so this one is taken.
            guard unsafe open("/dev/null", O_RDWR) == descriptor else { throw SystemError(errno) }
        }
    }
}
