import Foundation
import Synchronization
import Testing

/// Ports for programs that cannot choose one themselves. They are below 32768, where Linux takes no ports for outgoing
/// connections and for listeners at port 0 (`net.ipv4.ip_local_port_range`), and each is issued once.
enum FreePort {
    private static let candidate = Mutex(UInt16.random(in: 20000..<30000))

    /// Returns a port of 127.0.0.1 on which no program listens.
    static func next() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = candidate.withLock { candidate in
                candidate = candidate == 31999 ? 20000 : candidate + 1
                return candidate
            }
            if isFree(port) { return port }
        }
        throw POSIXError(.EADDRINUSE)
    }

    /// Returns the first of several consecutive ports.
    static func next(count: UInt16) throws -> UInt16 {
        for _ in 0..<100 {
            let first = try next()
            // Other callers may get ports in between, and then this run has a gap.
            if try (1..<count).allSatisfy({ try next() == first + $0 }) { return first }
        }
        throw POSIXError(.EADDRINUSE)
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var reuse: Int32 = 1
        // As the programs do, so that closed connections do not occupy the port. The pointers are valid during the
        // calls.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
