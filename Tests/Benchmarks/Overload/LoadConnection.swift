import CPlatform
import Glibc

/// One connection of the generator. It sends requests on schedule, regardless of pending responses, which arrive in
/// order.
struct LoadConnection {
    enum Outcome {
        case answered(status: Int, since: Int64, hasRetryAfter: Bool)
        /// The connection ended before the responses to this many requests.
        case lost(Int)
    }

    private(set) var descriptor: Int32 = -1
    /// The due times of unanswered requests, in nanoseconds; the ones before `first` have their response.
    private var times: [Int64] = []
    private var first = 0
    /// Bytes of requests that the socket has not accepted yet.
    private var unsent: [UInt8] = []
    private var input: [UInt8] = []

    var isOpen: Bool { descriptor >= 0 }
    var waiting: Int { times.count - first }
    var wantsToSend: Bool { !unsent.isEmpty }

    /// Starts to connect without waiting.
    mutating func open(port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return false }
        // As HTTP clients do. Otherwise Nagle's algorithm delays the second request until the first response.
        var noDelay: Int32 = 1
        // The option's value outlives the call.
        unsafe setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The structure outlives the call; socket addresses are passed as their common header.
        let result = unsafe withUnsafePointer(to: &name) {
            unsafe connect(
                socket, UnsafeRawPointer($0).assumingMemoryBound(to: sockaddr.self),
                socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard result == 0 || errno == EINPROGRESS else {
            close(socket)
            return false
        }
        descriptor = socket
        return true
    }

    /// Closes the connection and returns the number of unanswered requests.
    mutating func end() -> Int {
        defer { self = LoadConnection() }
        if isOpen { close(descriptor) }
        return waiting
    }

    mutating func send(_ request: [UInt8], dueAt time: Int64) {
        times.append(time)
        unsent += request
        flush()
    }

    /// Sends what the socket accepts. A failure shows up when reading.
    mutating func flush() {
        // The kernel only reads the array.
        let sent = unsafe unsent.withUnsafeBytes { unsafe presign_socket_send(descriptor, $0.baseAddress, $0.count) }
        if sent > 0 { unsent.removeFirst(sent) }
    }

    /// Reads once and reports every complete response.
    mutating func receive(into buffer: inout [UInt8], _ tell: (Outcome) -> Void) {
        // The kernel writes at most `count` bytes into the array.
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
        }
        if count == -Int(EAGAIN) { return }
        guard count > 0 else { return tell(.lost(end())) }
        input += buffer[..<count]
        var start = 0
        while let response = Response(input[start...]), first < times.count {
            tell(.answered(status: response.status, since: times[first], hasRetryAfter: response.hasRetryAfter))
            first += 1
            start += response.length
        }
        input.removeFirst(start)
        if first == times.count {
            times.removeAll(keepingCapacity: true)
            first = 0
        }
    }
}

/// The properties of a response that the generator needs.
private struct Response {
    var status = 0
    /// In bytes, including the head.
    var length = 0
    /// Whether it has a Retry-After field.
    var hasRetryAfter = false

    /// Returns nil if the response is incomplete.
    init?(_ bytes: ArraySlice<UInt8>) {
        var lineStart = bytes.startIndex
        while true {
            guard let end = bytes[lineStart...].firstIndex(of: 0x0A) else { return nil }
            let line = bytes[lineStart..<end]
            if lineStart == bytes.startIndex {
                status = Self.number(line.dropFirst(9))
            } else if line.count <= 1 {
                length += end + 1 - bytes.startIndex
                break
            } else if line.first == 0x43, line.starts(with: "Content-Length: ".utf8) {
                length = Self.number(line.dropFirst(16))
            } else if line.first.map({ $0 | 0x20 }) == 0x72 {
                hasRetryAfter = hasRetryAfter || line.dropFirst().starts(with: "etry-".utf8)
            }
            lineStart = end + 1
        }
        if bytes.count < length { return nil }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int {
        var value = 0
        for digit in digits.prefix(9) {
            guard 0x30...0x39 ~= digit else { break }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }
}
