import CPlatform
import Glibc

/// One connection of the generator: requests go out at their times whatever has been answered, answers come in order.
struct LoadConnection {
    enum Outcome {
        case answered(status: Int, since: Int64, saysWhen: Bool)
        /// The connection ended without an answer to these.
        case lost(Int)
    }

    private(set) var descriptor: Int32 = -1
    /// When each unanswered request should have gone out, in nanoseconds; answered ones lie before `first`.
    private var times: [Int64] = []
    private var first = 0
    /// Bytes of requests that the socket did not take yet.
    private var unsent: [UInt8] = []
    private var input: [UInt8] = []

    var isOpen: Bool { descriptor >= 0 }
    var waiting: Int { times.count - first }
    var wantsToSend: Bool { !unsent.isEmpty }

    /// Connects without waiting for it.
    mutating func open(port: UInt16) -> Bool {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard socket >= 0 else { return false }
        // As HTTP clients do; else the second request on a connection waits in this kernel for the first one's answer.
        var noDelay: Int32 = 1
        // The option's value is ours and outlives the call.
        unsafe setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        // The structure outlives the call; socket addresses are passed as their common beginning.
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

    /// Ends the connection; says how many requests it leaves unanswered.
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

    /// Sends what the socket takes. A failure shows when reading.
    mutating func flush() {
        // The kernel only reads the array.
        let sent = unsafe unsent.withUnsafeBytes { unsafe presign_socket_send(descriptor, $0.baseAddress, $0.count) }
        if sent > 0 { unsent.removeFirst(sent) }
    }

    /// Reads once, and tells of every complete answer.
    mutating func receive(into buffer: inout [UInt8], _ tell: (Outcome) -> Void) {
        // The kernel writes at most `count` bytes into the array.
        let count = unsafe buffer.withUnsafeMutableBytes {
            unsafe presign_socket_receive(descriptor, $0.baseAddress, $0.count)
        }
        if count == -Int(EAGAIN) { return }
        guard count > 0 else { return tell(.lost(end())) }
        input += buffer[..<count]
        var start = 0
        while let answer = Answer(input[start...]), first < times.count {
            tell(.answered(status: answer.status, since: times[first], saysWhen: answer.saysWhen))
            first += 1
            start += answer.length
        }
        input.removeFirst(start)
        if first == times.count {
            times.removeAll(keepingCapacity: true)
            first = 0
        }
    }
}

/// What the generator needs to know of an answer.
private struct Answer {
    var status = 0
    /// In bytes, with its head.
    var length = 0
    /// Whether it has a Retry-After field.
    var saysWhen = false

    /// Nil if it is not complete.
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
                saysWhen = saysWhen || line.dropFirst().starts(with: "etry-".utf8)
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
