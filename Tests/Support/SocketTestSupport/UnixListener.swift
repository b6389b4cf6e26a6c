import Glibc

/// A Unix stream socket that reads only when it is told to.
package final class UnixListener {
    private let descriptor: Int32

    /// Listens at a path where nothing stands.
    package init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw RawClient.Failure(description: "socket: \(errno)")
        }
        // Both pointers are used within their calls only; the path was checked to fit.
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

    /// One connection; closed with the last reference.
    package final class Connection {
        private let descriptor: Int32
        /// What was read so far.
        package private(set) var received: [UInt8] = []

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Reads on until the condition holds; false when nothing more comes, within 20 seconds.
        package func read(until isEnough: ([UInt8]) -> Bool) -> Bool {
            var chunk = [UInt8](repeating: 0, count: 4096)
            while !isEnough(received) {
                // The pointer is used within the call only and bounded by the array's own count.
                let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
                guard count > 0 else { return false }
                received += chunk.prefix(count)
            }
            return true
        }
    }
}

private func setPatience(of descriptor: Int32) {
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    // The pointer is used within the call only, with the size of what it points to.
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
}
