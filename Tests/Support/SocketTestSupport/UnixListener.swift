import Glibc

/// A Unix stream socket that reads only on request.
package final class UnixListener {
    private let descriptor: Int32

    /// Listens at a path that does not exist yet.
    package init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw RawClient.Failure(description: "socket: \(errno)")
        }
        // Both pointers are used only within their calls; the path was checked to fit.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(descriptor, 8) == 0 else { throw RawClient.Failure(description: "bind: \(errno)") }
        setPatience(of: descriptor)
    }

    deinit { close(descriptor) }

    /// The next connection; fails after 20 seconds.
    package func accepted() throws -> Connection {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { throw RawClient.Failure(description: "accept: \(errno)") }
        setPatience(of: connection)
        return Connection(connection)
    }

    /// One connection, closed when its last reference is released.
    package final class Connection {
        private let descriptor: Int32
        /// The bytes read so far.
        package private(set) var received: [UInt8] = []

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Reads until the condition holds; false if nothing more arrives within 20 seconds.
        package func read(until isEnough: ([UInt8]) -> Bool) -> Bool {
            var chunk = [UInt8](repeating: 0, count: 4096)
            while !isEnough(received) {
                // The pointer is used only within the call and bounded by the array's count.
                let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
                guard count > 0 else { return false }
                received += chunk.prefix(count)
            }
            return true
        }
    }
}

private func setPatience(of descriptor: Int32) {
    var timeout = timeval(tv_sec: 20, tv_usec: 0)
    // The pointer is used only within the call, with the size of what it points to.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
}
