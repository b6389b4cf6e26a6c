import Foundation
import Glibc

/// Calls on Unix stream sockets, none of which blocks.
enum SocketCalls {
    /// Creates a Unix stream socket.
    static func create() -> Int32 { socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0) }

    /// Connects a Unix socket, after binding it to a unique name that the kernel chooses. Returns false if that fails.
    static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        func call(_ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ size: Int) -> Bool {
            // unsafe: the call reads the local structure, which has at least this size.
            unsafe withUnsafePointer(to: address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe function(descriptor, $0, socklen_t(size)) == 0
                }
            }
        }
        guard unsafe call({ unsafe bind($0, $1, $2) }, MemoryLayout<sa_family_t>.size) else { return false }
        // unsafe: the path of a test is shorter than the member, and the rest is zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        return unsafe call({ unsafe Glibc.connect($0, $1, $2) }, MemoryLayout<sockaddr_un>.size)
    }

    /// The name of a Unix socket, or of its peer.
    static func name(of descriptor: Int32, isPeer: Bool) -> [UInt8] {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // unsafe: the call writes at most `size` bytes to the local structure.
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                isPeer ? unsafe getpeername(descriptor, $0, &size) : unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0 else { return [] }
        return unsafe withUnsafeBytes(of: &address) { unsafe Array($0.prefix(Int(size))) }
    }

    /// Two connected sockets.
    static func pair() -> (Int32, Int32)? {
        var pair: [Int32] = [0, 0]
        // unsafe: the call writes the two elements.
        let result = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &pair)
        return result == 0 ? (pair[0], pair[1]) : nil
    }

    /// The number of bytes that have arrived and are not read.
    static func unreadCount(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        // unsafe: the call writes the local variable.
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Whether the other side has closed the connection.
    static func hasHungUp(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: 0, revents: 0)
        // unsafe: the call reads and writes the local structure.
        return unsafe poll(&entry, 1, 0) == 1 && entry.revents & Int16(POLLHUP) != 0
    }

    /// Makes the socket take fewer bytes until the other side reads; the kernel has a minimum.
    static func limitSendBuffer(of descriptor: Int32, to count: Int32) {
        var count = count
        // unsafe: the call reads the local variable.
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &count, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Sends as many bytes as the socket takes.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
        // unsafe: the call reads the slice's own bytes.
        max(
            0,
            unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            })
    }

    /// Reads what has arrived, or looks at it without reading.
    static func receive(from descriptor: Int32, atMost count: Int, isPeek: Bool = false) -> [UInt8] {
        guard count > 0 else { return [] }
        // unsafe: the call writes at most the buffer's count.
        return unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, size in
            size = max(0, unsafe recv(descriptor, buffer.baseAddress, buffer.count, isPeek ? Int32(MSG_PEEK) : 0))
        }
    }

    /// The number of open descriptors of the process.
    static func openDescriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Runs the body while the process can open no further descriptor.
    static func withoutDescriptors<Result>(_ body: () -> Result) -> Result {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        // unsafe, below: the calls access the local structures.
        unsafe getrlimit(files, &limit)
        let lowest = dup(STDOUT_FILENO)
        close(lowest)
        var none = limit
        none.rlim_cur = rlim_t(max(0, lowest))
        unsafe setrlimit(files, &none)
        defer { unsafe setrlimit(files, &limit) }
        return body()
    }
}
