import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import System
@testable import Telemetry

@Suite("Audit files")
struct AuditFileTests {
    private let folder: TemporaryDirectory
    private static let items = Array(repeating: #"{"path":"public/a"}"#, count: 150)

    init() throws { folder = try TemporaryDirectory() }

    private func ask(_ service: TestService, _ path: String) throws {
        #expect(try service.post("/presign", #"{"path":"public/\#(path)"}"#).status == 200)
    }

    /// The content of a file in the folder.
    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")))
    }

    @Test("A file is appended to, and created with access only for owner and group")
    func file() throws {
        let service = try TestService(auditingTo: folder.path + "/audit")
        for name in ["a", "b"] { try ask(service, name) }
        service.assembly.audit?.flush()
        #expect(try AuditEntry.all(in: bytes("audit")).map(\.key) == ["public/a", "public/b"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path + "/audit")[.posixPermissions] as? Int
        #expect(mode.map { $0 & 0o137 } == 0)
    }

    @Test("Large batches with long lines are written completely, because the file is written meanwhile")
    func largeBatches() throws {
        let service = try TestService(
            SampleConfiguration().yaml + "\naudit: {to: \"\(folder.path)/audit\"}\n", auditCapacity: 4 << 20)
        let item = #"{"path":"no/\#(String(repeating: "\u{2028}", count: 330))"}"#
        let items = Array(repeating: item, count: 1000).joined(separator: ",")
        let request = presignRequest(#"{"requests":[\#(items)]}"#)
            .replacing("POST /presign ", with: "POST /presign/batch ")
        for _ in 0..<4 { #expect(try service.exchange(request).status == 200) }
        service.assembly.audit?.flush()
        #expect(try AuditEntry.all(in: bytes("audit")).count { $0.status == 403 } == 4000)
    }

    @Test("A partial line left in the file is ended, so that the first new line is whole")
    func tornFile() throws {
        try folder.write(Array(#"{"time":"#.utf8), to: "audit")
        let service = try TestService(auditingTo: folder.path + "/audit")
        try ask(service, "a")
        service.assembly.audit?.flush()
        let lines = try bytes("audit").split(separator: 0x0A)
        #expect(lines.count == 2)
        #expect(try AuditEntry.all(in: lines[1]).map(\.key) == ["public/a"])
    }

    @Test("After a rename and reopen() lines go to a new file, and none is lost")
    func reopening() throws {
        let service = try TestService(auditingTo: folder.path + "/audit")
        try ask(service, "a")
        service.assembly.audit?.flush()
        try FileManager.default.moveItem(atPath: folder.path + "/audit", toPath: folder.path + "/old")
        try ask(service, "b")
        service.assembly.audit?.flush()
        service.assembly.audit?.reopen()
        service.assembly.audit?.flush()
        #expect(try bytes("audit") == [])
        try ask(service, "c")
        service.assembly.audit?.flush()
        #expect(try AuditEntry.all(in: bytes("old")).map(\.key) == ["public/a", "public/b"])
        #expect(try AuditEntry.all(in: bytes("audit")).map(\.key) == ["public/c"])
    }

    @Test("A file that cannot be reopened is retried automatically and reported once")
    func lateReopening() throws {
        let (path, reports) = (folder.path + "/audit", Messages())
        let output = AuditOutput(.file(path), reopeningInterval: .zero) { reports.append($0) }
        try output.open()
        try FileManager.default.moveItem(atPath: path, toPath: folder.path + "/old")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        output.reopen()
        for line in ["a\n", "b\n"] { output.write(Array(line.utf8)) }
        try FileManager.default.removeItem(atPath: path)
        output.write(Array("c\n".utf8))
        #expect(try bytes("old") == Array("a\nb\n".utf8))
        #expect(try bytes("audit") == Array("c\n".utf8))
        #expect(reports.text.components(separatedBy: "cannot reopen the audit destination").count == 2)
    }

    @Test("The old file stays in use if the new one cannot be opened")
    func failedReopening() throws {
        let service = try TestService(auditingTo: folder.path + "/audit")
        try FileManager.default.moveItem(atPath: folder.path + "/audit", toPath: folder.path + "/old")
        try FileManager.default.createDirectory(atPath: folder.path + "/audit", withIntermediateDirectories: false)
        service.assembly.audit?.reopen()
        try ask(service, "a")
        service.assembly.audit?.flush()
        #expect(try AuditEntry.all(in: bytes("old")).count == 1)
        #expect(service.assembly.auditReports.text.contains("cannot reopen the audit destination"))
    }

    @Test(
        "Symbolic links, folders, and paths that cannot be created are rejected at startup",
        arguments: ["link", "f", "no/f"])
    func refused(name: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link", withDestinationPath: folder.path + "/x")
        try FileManager.default.createDirectory(atPath: folder.path + "/f", withIntermediateDirectories: false)
        #expect(throws: SystemError.self) { _ = try TestService(auditingTo: folder.path + "/" + name) }
    }

    @Test("A full disk is reported once, blocks no request, and lines are dropped only at the end")
    func fullDisk() throws {
        let service = try TestService(auditingTo: "/dev/full", capacity: 16 * 1024)
        for _ in 0..<3 { #expect(try service.exchange(batchRequest(Self.items)).status == 200) }
        try ask(service, "a")
        service.assembly.audit?.close(within: 0)
        let reports = service.assembly.auditReports
        #expect(reports.awaitMessage("were not written to /dev/full"))
        #expect(
            reports.text.split(separator: "\n").count { $0.contains("they are buffered: No space left on device") } == 1
        )
    }
}
