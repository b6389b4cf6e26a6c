import Foundation
import SocketTestSupport
import Synchronization
import Testing

@testable import HTTPServer
@testable import System
@testable import Telemetry

@Suite("Audit output", .serialized)
struct AuditOutputTests {
    private let folder: AuditFolder

    init() throws { folder = try AuditFolder() }

    private func service(to destination: String, capacity: Int = 1 << 20) throws -> LiveService {
        try LiveService(
            LiveConfiguration().yaml + "\naudit: {to: \"\(destination)\"}\n", auditCapacity: capacity)
    }

    private func ask(_ service: LiveService, _ path: String) throws {
        #expect(try service.exchange(presignRequest(#"{"path":"public/\#(path)"}"#)).status == 200)
    }

    private static let batchSize = 150

    /// Requests many URLs at once; each of them is one line.
    private func requestMany(_ service: LiveService, batches: Int) throws {
        let items = Array(repeating: #"{"path":"public/a"}"#, count: Self.batchSize).joined(separator: ",")
        let request = presignRequest(#"{"requests":[\#(items)]}"#)
            .replacing("POST /presign ", with: "POST /presign/batch ")
        for _ in 0..<batches { #expect(try service.exchange(request).status == 200) }
    }

    @Test("A file is appended to, and created with access only for owner and group")
    func file() throws {
        let service = try service(to: folder.path("audit"))
        for name in ["a", "b"] { try ask(service, name) }
        service.audit?.flush()
        #expect(try AuditEntry.all(in: folder.bytes("audit")).map(\.key) == ["public/a", "public/b"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path("audit"))[.posixPermissions] as? Int
        #expect(mode.map { $0 & 0o137 } == 0)
    }

    @Test("Large batches with long lines are written completely, because the file is written meanwhile")
    func largeBatches() throws {
        let service = try LiveService(
            LiveConfiguration().yaml + "\naudit: {to: \"\(folder.path("audit"))\"}\n", auditCapacity: 4 << 20)
        let item = #"{"path":"no/\#(String(repeating: "\u{2028}", count: 330))"}"#
        let items = Array(repeating: item, count: 1000).joined(separator: ",")
        let request = presignRequest(#"{"requests":[\#(items)]}"#)
            .replacing("POST /presign ", with: "POST /presign/batch ")
        for _ in 0..<4 { #expect(try service.exchange(request).status == 200) }
        service.audit?.flush()
        #expect(try AuditEntry.all(in: folder.bytes("audit")).count { $0.status == 403 } == 4000)
    }

    @Test("A partial line left in the file is ended, so that the first new line is whole")
    func tornFile() throws {
        try Data(#"{"time":"#.utf8).write(to: folder.url.appending(path: "audit"))
        let service = try service(to: folder.path("audit"))
        try ask(service, "a")
        service.audit?.flush()
        let lines = try folder.bytes("audit").split(separator: 0x0A)
        #expect(lines.count == 2)
        #expect(try AuditEntry.all(in: lines[1]).map(\.key) == ["public/a"])
    }

    @Test("After a rename and reopen() lines go to a new file, and none is lost")
    func reopening() throws {
        let service = try service(to: folder.path("audit"))
        try ask(service, "a")
        service.audit?.flush()
        try FileManager.default.moveItem(atPath: folder.path("audit"), toPath: folder.path("old"))
        try ask(service, "b")
        service.audit?.flush()
        service.audit?.reopen()
        service.audit?.flush()
        #expect(try folder.bytes("audit") == [])
        try ask(service, "c")
        service.audit?.flush()
        #expect(try AuditEntry.all(in: folder.bytes("old")).map(\.key) == ["public/a", "public/b"])
        #expect(try AuditEntry.all(in: folder.bytes("audit")).map(\.key) == ["public/c"])
    }

    @Test(
        "Earlier reopen requests do not prevent reconnecting to a reader at intervals"
    )
    func pausesAfterReopening() throws {
        let (path, reports) = (folder.path("socket"), Collector())
        let output = AuditOutput(.socket(path)) { reports.take(Array($0.utf8)) }
        try output.open()
        for _ in 0..<1000 { output.reopen() }
        let group = DispatchGroup()
        DispatchQueue(label: "audit output").async(group: group) { output.write(Array("line\n".utf8)) }
        // Enough time for a thousand attempts without a pause, after which the next pause would be long.
        usleep(300_000)
        let began = ContinuousClock.now
        let listener = try UnixListener(path: path)
        let reader = try listener.accepted()
        #expect(.now - began < .seconds(3))
        group.wait()
        _ = reader
        output.close()
    }

    @Test("While a reader is blocked, reopening and closing return immediately, and closing ends the write")
    func blockedWriter() throws {
        let (path, reports) = (folder.path("socket"), Collector())
        let listener = try UnixListener(path: path)
        let output = AuditOutput(.socket(path)) { reports.take(Array($0.utf8)) }
        try output.open()
        let reader = try listener.accepted()
        let group = DispatchGroup()
        // More than the buffers of a socket hold.
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 16 << 20)
        DispatchQueue(label: "audit output").async(group: group) { output.write(lines) }
        usleep(100_000)
        let began = ContinuousClock.now
        output.close()
        #expect(.now - began < .milliseconds(500))
        group.wait()
        #expect(reports.text.withLock { $0 }.contains("audit lines were not written"))
        _ = reader
    }

    @Test("A file that cannot be reopened is retried automatically and reported once")
    func lateReopening() throws {
        let (path, reports) = (folder.path("audit"), Collector())
        let output = AuditOutput(.file(path), reopeningInterval: .zero) { reports.take(Array($0.utf8)) }
        try output.open()
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("old"))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        output.reopen()
        for line in ["a\n", "b\n"] { output.write(Array(line.utf8)) }
        try FileManager.default.removeItem(atPath: path)
        output.write(Array("c\n".utf8))
        #expect(try folder.bytes("old") == Array("a\nb\n".utf8))
        #expect(try folder.bytes("audit") == Array("c\n".utf8))
        #expect(reports.text.withLock { $0 }.components(separatedBy: "cannot reopen the audit destination").count == 2)
    }

    @Test("The old file stays in use if the new one cannot be opened")
    func failedReopening() throws {
        let service = try service(to: folder.path("audit"))
        try FileManager.default.moveItem(atPath: folder.path("audit"), toPath: folder.path("old"))
        try FileManager.default.createDirectory(atPath: folder.path("audit"), withIntermediateDirectories: false)
        service.audit?.reopen()
        try ask(service, "a")
        service.audit?.flush()
        #expect(try AuditEntry.all(in: folder.bytes("old")).count == 1)
        #expect(service.auditReports.text.withLock { $0 }.contains("cannot reopen the audit destination"))
    }

    @Test(
        "Symbolic links, folders, and paths that cannot be created are rejected at startup",
        arguments: ["link", "f", "no/f"])
    func refused(name: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path("x"))
        try FileManager.default.createDirectory(atPath: folder.path("f"), withIntermediateDirectories: false)
        #expect(throws: SystemError.self) { _ = try service(to: folder.path(name)) }
    }

    @Test("A full disk is reported once, blocks no request, and lines are dropped only at the end")
    func fullDisk() throws {
        let service = try service(to: "/dev/full", capacity: 16 * 1024)
        try requestMany(service, batches: 3)
        try ask(service, "a")
        service.audit?.close(within: 0)
        let deadline = ContinuousClock.now + .seconds(20)
        func reports() -> String { service.auditReports.text.withLock { $0 } }
        while !reports().contains("were not written"), ContinuousClock.now < deadline {
            Thread.sleep(forTimeInterval: 0.01)
        }
        #expect(reports().contains("were not written to /dev/full"))
        #expect(
            reports().split(separator: "\n").count { $0.contains("they are buffered: No space left on device") } == 1)
    }

    @Test("A blocked reader delays no request; dropped lines are counted in the stream and the diagnostics")
    func slowReader() throws {
        let listener = try UnixListener(path: folder.path("s"))
        let service = try service(to: "unix:" + folder.path("s"), capacity: 32 * 1024)
        let connection = try listener.accepted()
        let batches = 20
        try requestMany(service, batches: batches)
        // Dropped lines are reported while the reader is still blocked.
        let deadline = ContinuousClock.now + .seconds(20)
        func isReported() -> Bool {
            service.auditReports.text.withLock { $0 }.contains("audit lines were dropped")
        }
        while !isReported(), ContinuousClock.now < deadline { Thread.sleep(forTimeInterval: 0.01) }
        #expect(isReported())
        var (start, whole, dropped) = (0, 0, 0)
        let isRead = connection.read { bytes in
            while let end = bytes[start...].firstIndex(of: 0x0A) {
                guard let entry = try? AuditEntry.all(in: bytes[start..<end]).first else { return true }
                if let count = entry.count { dropped += count } else { whole += 1 }
                start = end + 1
            }
            return whole + dropped >= Self.batchSize * batches
        }
        #expect(isRead && dropped > 0 && whole > 0 && whole + dropped == Self.batchSize * batches)
    }

    @Test("Lines wait for a reader that connects late or reconnects, and each is whole")
    func reconnecting() throws {
        let service = try service(to: "unix:" + folder.path("s"))
        #expect(service.auditReports.text.withLock { $0 }.contains("cannot connect to the audit destination"))
        try ask(service, "a")
        var listener: UnixListener? = try UnixListener(path: folder.path("s"))
        var connection = try listener?.accepted()
        #expect(connection?.read(until: { $0.contains(0x0A) }) == true)
        #expect(try AuditEntry.all(in: connection?.received ?? []).map(\.key) == ["public/a"])
        (connection, listener) = (nil, nil)
        try FileManager.default.removeItem(atPath: folder.path("s"))
        try ask(service, "b")
        let second = try UnixListener(path: folder.path("s"))
        let again = try second.accepted()
        #expect(again.read(until: { $0.contains(0x0A) }))
        #expect(try AuditEntry.all(in: again.received).map(\.key) == ["public/b"])
    }

    @Test("If a reader disconnects within a line, the next reader gets the whole line")
    func tornConnection() throws {
        let listener = try UnixListener(path: folder.path("s"))
        let service = try service(to: "unix:" + folder.path("s"))
        var connection: UnixListener.Connection? = try listener.accepted()
        // More than a socket buffers, so that the writer stops within a line.
        try requestMany(service, batches: 10)
        #expect(connection?.read(until: { !$0.isEmpty }) == true)
        connection = nil
        let again = try listener.accepted()
        #expect(again.read(until: { $0.contains(0x0A) }))
        let end = try #require(again.received.lastIndex(of: 0x0A))
        #expect(try AuditEntry.all(in: again.received[...end]).allSatisfy { $0.key == "public/a" })
    }
}
