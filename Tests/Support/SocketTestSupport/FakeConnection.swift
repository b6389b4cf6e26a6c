import Glibc
import System

/// One connection to a fake endpoint, plain or with TLS, on a blocking socket.
final class FakeConnection {
    private let descriptor: Int32
    private let session: TLSSession?

    init(_ descriptor: Int32, _ session: TLSSession?) {
        (self.descriptor, self.session) = (descriptor, session)
    }

    /// The complete request; nil if none arrives.
    func request() -> FakeEndpoint.Request? {
        if let session, session.handshake() != .done(1) { return nil }
        var bytes: [UInt8] = []
        let separator = Array("\r\n\r\n".utf8)
        while true {
            if let end = bytes.firstRange(of: separator) {
                let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
                let words = lines[0].split(separator: " ")
                guard words.count == 3 else { return nil }
                var headers: [String: String] = [:]
                for line in lines.dropFirst() {
                    guard let colon = line.firstIndex(of: ":") else { return nil }
                    headers[line[..<colon].lowercased()] = String(line[colon...].dropFirst(2))
                }
                let length = headers["content-length"].flatMap { Int($0) } ?? 0
                if bytes.count - end.upperBound >= length {
                    return FakeEndpoint.Request(
                        method: String(words[0]), target: String(words[1]), headers: headers,
                        body: String(decoding: bytes[end.upperBound...].prefix(length), as: UTF8.self))
                }
            }
            guard let more = receive(), !more.isEmpty else { return nil }
            bytes += more
        }
    }

    /// The next bytes; empty at the end, nil after 20 seconds without a byte.
    func receive() -> [UInt8]? {
        var chunk = [UInt8](repeating: 0, count: 4096)
        if let session {
            var span = chunk.mutableSpan
            switch session.read(into: &span) {
            case .done(let count): return Array(chunk.prefix(count))
            case .closed, .cut: return []
            default: return nil
            }
        }
        // The pointer is used only within the call and bounded by the array's count.
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        return count >= 0 ? Array(chunk.prefix(count)) : nil
    }

    /// Sends all bytes; false if the connection is closed.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            if let session {
                guard case .done(let count) = session.write(bytes.span.extracting(sent...)) else { return false }
                sent += count
                continue
            }
            // The call reads the array's own bytes, from `sent` to its end.
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Ends the sending direction.
    func finish() {
        if let session { session.shutdown() } else { _ = shutdown(descriptor, Int32(SHUT_WR)) }
    }
}
