import Dispatch
import Glibc
import HTTPServer
import Synchronization
import TestSupport

/// A well-behaved client that runs next to hostile ones. It sends requests continuously, every tenth on a new
/// connection, and records the longest wait.
final class GoodClient: Sendable {
    struct Experience {
        var answered = 0
        var failed = 0
        var longest = Duration.zero
    }

    static let request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\ngood"

    private let isDone = Atomic(false)
    private let experience = Mutex(Experience())
    private let group = DispatchGroup()

    init(of server: LiveServer) {
        DispatchQueue(label: "good client").async(group: group) { self.run(server) }
    }

    /// Waits until it has sent at least this many requests, then stops it.
    func finish(after count: Int = 100) -> Experience {
        _ = becomesTrue { experience.withLock { $0.answered + $0.failed } >= count }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        return experience.withLock { $0 }
    }

    private func run(_ server: LiveServer) {
        var client: LiveClient?
        var asked = 0
        while !isDone.load(ordering: .relaxed) {
            let start = ContinuousClock.now
            if asked.isMultiple(of: 10) { client = try? server.connect() }
            asked += 1
            client?.send(Self.request)
            let isAnswered = client?.response().map { $0.status == 200 && $0.body == Array("good".utf8) } ?? false
            let took = ContinuousClock.now - start
            experience.withLock { experience in
                if isAnswered { experience.answered += 1 } else { experience.failed += 1 }
                experience.longest = max(experience.longest, took)
            }
            if !isAnswered { client = nil }
        }
    }
}

/// Resources of this process, as counted by the kernel.
enum ProcessResources {
    /// The number of sockets whose local port is the server's, including listeners.
    static func sockets(of server: ListenAddress) -> Int {
        guard case .tcp(_, let port) = server else { return 0 }
        return (0..<Int32(descriptorLimit)).count { descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            // The kernel writes at most `size` bytes into the structure.
            let isSocket = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &size) == 0
                }
            }
            return isSocket && Int32(address.sin_family) == AF_INET && UInt16(bigEndian: address.sin_port) == port
        }
    }

    /// Bytes of memory in use, including what the allocator keeps for reuse.
    static func memory() -> Int {
        // This function owns the file.
        guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
        defer { unsafe fclose(file) }
        var text = [CChar](repeating: 0, count: 200)
        // At most as many bytes as the array has are written, the last of them 0.
        guard unsafe fgets(&text, Int32(text.count), file) != nil else { return 0 }
        let fields = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }

    /// Raises the limit of descriptors of this process to `wanted` if the system allows it.
    static func raiseDescriptorLimit(to wanted: UInt) -> Bool {
        var limit = rlimit()
        // The calls fill and read only the structure.
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < wanted {
            limit.rlim_cur = min(limit.rlim_max, wanted)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return descriptorLimit >= wanted
    }

    private static var descriptorLimit: UInt {
        var limit = rlimit()
        // The call fills the structure.
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return min(limit.rlim_cur, 32_768)
    }
}
