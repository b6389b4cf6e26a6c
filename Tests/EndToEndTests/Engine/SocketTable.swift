import Foundation

/// What the system says of a port's TCP connections over IPv4.
enum SocketTable {
    /// Connections that a process holds at this end: not those that are only remembered (TIME_WAIT).
    static func held(by port: UInt16) throws -> Int {
        try rows(of: port).count { $0.isHeld }
    }

    /// Connections that a process holds or that were closed within the last minute, counted at whichever end remembers.
    static func recent(of port: UInt16) throws -> Int {
        try rows(of: port).count + rows(to: port).count { !$0.isHeld }
    }

    private struct Row {
        let local: UInt16
        let remote: UInt16
        let isListening: Bool
        /// An open socket has an inode.
        let isHeld: Bool
    }

    private static func rows(of port: UInt16) throws -> [Row] {
        try table().filter { $0.local == port && !$0.isListening }
    }

    private static func rows(to port: UInt16) throws -> [Row] { try table().filter { $0.remote == port } }

    /// proc(5), /proc/net/tcp: slot, local and remote address, state, four more columns of queues and timers, then
    /// user, time-out and inode.
    private static func table() throws -> [Row] {
        try content().split(separator: "\n").dropFirst().compactMap {
            let columns = $0.split(separator: " ")
            guard columns.count > 9, let local = port(columns[1]), let remote = port(columns[2]) else { return nil }
            return Row(local: local, remote: remote, isListening: columns[3] == "0A", isHeld: columns[9] != "0")
        }
    }

    /// The system gives a page at a time, which whoever reads a file by its size takes for its end.
    private static func content() throws -> String {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
        defer { try? file.close() }
        var content = Data()
        while let page = try file.read(upToCount: 1 << 16), !page.isEmpty { content += page }
        return String(decoding: content, as: UTF8.self)
    }

    /// Of `0100007F:1F90`.
    private static func port(_ address: Substring) -> UInt16? {
        address.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
}

extension PresignProcess {
    /// Its open descriptors. The service keeps other users from looking; for those it is its connections alone.
    var descriptors: Int {
        get throws {
            let all = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd").count
            return try all ?? SocketTable.held(by: port)
        }
    }
}
