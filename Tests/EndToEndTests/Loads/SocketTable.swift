import Foundation
import TestSupport
import Testing

/// The system's table of IPv4 TCP connections.
enum SocketTable {
    /// Connections that a process holds at this end, without those in TIME_WAIT.
    static func held(by port: UInt16) throws -> Int {
        try rows(of: port).count { $0.local == port && $0.isHeld }
    }

    /// Connections that are open or were closed within the last minute, counted at whichever end has an entry.
    static func recent(of port: UInt16) throws -> Int {
        try rows(of: port).count { $0.local == port || !$0.isHeld }
    }

    private struct Row {
        let local: UInt16
        /// Whether the socket is open: only open sockets have an inode.
        let isHeld: Bool
    }

    /// The connections with the port at either end. After heavy load the table has tens of thousands of others, which
    /// are skipped.
    private static func rows(of port: UInt16) throws -> [Row] {
        let table = try content()
        let digits = String(port, radix: 16, uppercase: true)
        let needle = Data((":" + String(repeating: "0", count: 4 - digits.count) + digits + " ").utf8)
        var rows: [Row] = []
        var start = table.startIndex
        while let found = table.range(of: needle, in: start..<table.endIndex) {
            let before = table[..<found.lowerBound].lastIndex(of: 0x0a) ?? table.startIndex
            let end = table[found.upperBound...].firstIndex(of: 0x0a) ?? table.endIndex
            if let row = row(String(decoding: table[before..<end], as: UTF8.self)) { rows.append(row) }
            start = end
        }
        return rows
    }

    /// proc(5), /proc/net/tcp: slot, local and remote address, state, four more columns of queues and timers, then
    /// user, timeout and inode. nil for a listening socket.
    private static func row(_ line: String) -> Row? {
        let columns = line.split(whereSeparator: \.isWhitespace)
        guard columns.count > 9, columns[3] != "0A" else { return nil }
        // For example `0100007F:1F90`.
        guard let local = columns[1].split(separator: ":").last.flatMap({ UInt16($0, radix: 16) }) else { return nil }
        return Row(local: local, isHeld: columns[9] != "0")
    }

    /// The kernel returns one page per read, which a read of the whole file by size takes for the end.
    private static func content() throws -> Data {
        let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
        defer { try? file.close() }
        var content = Data()
        while let page = try file.read(upToCount: 1 << 16), !page.isEmpty { content += page }
        return content
    }
}

extension PresignProcess {
    /// The number of open descriptors, without those that Dispatch opens when it first waits for a time or an event. If
    /// another user runs the service, only its connections are counted.
    var descriptors: Int {
        get throws {
            try openFiles?.count { !$0.hasPrefix("anon_inode:") } ?? SocketTable.held(by: port)
        }
    }

    /// What its descriptors are: files, `socket:[1234]` and the like; nil if another user runs the service.
    var openFiles: [String]? {
        let folder = "/proc/\(identifier)/fd"
        let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
        return names?.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    /// Waits until the process has no more descriptors than this.
    func settles(to count: Int) async throws {
        let settles = try await eventually { try descriptors <= count }
        #expect(settles, "more than \(count) descriptors: \(openFiles ?? [])")
    }
}
