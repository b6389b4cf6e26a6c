import Foundation
import Synchronization
import Testing

/// Ports for programs that cannot choose one themselves. They are below 32768, where Linux takes no ports for outgoing
/// connections and for listeners at port 0 (`net.ipv4.ip_local_port_range`), and each is issued once.
enum FreePort {
    /// The first of the thousand ports of this process, which it keeps in use until it ends, so that no other process of
    /// the tests has the same ones; nil if there are too many.
    private static let first = stride(from: UInt16(20_000), to: 32_000, by: 1000).shuffled().first { first in
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        if bind(descriptor, to: first) { return true }
        close(descriptor)
        return false
    }
    private static let count = Mutex<UInt16>(0)

    /// Returns a port of 127.0.0.1 on which no program listens.
    static func next() throws -> UInt16 {
        guard let first else { throw POSIXError(.EADDRINUSE) }
        for _ in 0..<1000 {
            let number = count.withLock { count in
                count = count == 999 ? 1 : count + 1
                return count
            }
            if isFree(first + number) { return first + number }
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
        return bind(descriptor, to: port)
    }

    private static func bind(_ descriptor: Int32, to port: UInt16) -> Bool {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Foundation.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
