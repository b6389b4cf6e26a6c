import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import PresignServiceTestSupport
@testable import Telemetry

@Suite("Audit sockets", .serialized)
struct AuditSocketTests {
    private let folder: TemporaryDirectory
    private static let items = Array(repeating: #"{"path":"public/a"}"#, count: 150)

    init() throws { folder = try TemporaryDirectory() }

    private func ask(_ service: TestService, _ path: String) throws {
        #expect(try service.post("/presign", #"{"path":"public/\#(path)"}"#).status == 200)
    }

    @Test("Earlier reopen requests do not prevent reconnecting to a reader at intervals")
    func pausesAfterReopening() throws {
        let path = folder.path + "/socket"
        let output = AuditOutput(.socket(path)) { _ in }
        try output.open()
        for _ in 0..<1000 { output.reopen() }
        let group = DispatchGroup()
        DispatchQueue(label: "audit output").async(group: group) { output.write(Array("line\n".utf8)) }
        // The line is kept. A thousand attempts without a pause would be over by then, and the next pause five seconds.
        #expect(group.wait(timeout: .now() + .milliseconds(300)) == .timedOut)
        let began = ContinuousClock.now
        let listener = try UnixListener(path: path)
        let reader = try listener.accepted()
        #expect(.now - began < .seconds(4.5))
        group.wait()
        _ = reader
        output.close()
    }

    @Test(
        "While a reader is blocked, closing does not wait for it and ends the write")
    func blockedWriter() throws {
        let (path, reports) = (folder.path + "/socket", Messages())
        let listener = try UnixListener(path: path)
        let output = AuditOutput(.socket(path)) { reports.append($0) }
        try output.open()
        let reader = try listener.accepted()
        let group = DispatchGroup()
        // More than the buffers of a socket hold.
        let lines = [UInt8](repeating: UInt8(ascii: "\n"), count: 16 << 20)
        DispatchQueue(label: "audit output").async(group: group) { output.write(lines) }
        #expect(reader.read(until: { !$0.isEmpty }))
        // The reader never reads the rest.
        output.close()
        group.wait()
        #expect(reports.text.contains("audit lines were not written"))
    }

    @Test("A blocked reader delays no request; dropped lines are counted in the stream and the diagnostics")
    func slowReader() throws {
        let listener = try UnixListener(path: folder.path + "/s")
        let service = try TestService(auditingTo: "unix:\(folder.path)/s", capacity: 32 * 1024)
        let connection = try listener.accepted()
        let batches = 20
        for _ in 0..<batches { #expect(try service.exchange(batchRequest(Self.items)).status == 200) }
        // Dropped lines are reported while the reader is still blocked.
        #expect(service.assembly.auditReports.awaitMessage("audit lines were dropped"))
        var (start, whole, dropped) = (0, 0, 0)
        let isRead = connection.read { bytes in
            while let end = bytes[start...].firstIndex(of: 0x0A) {
                guard let entry = try? AuditEntry.all(in: bytes[start..<end]).first else { return true }
                if let count = entry.count { dropped += count } else { whole += 1 }
                start = end + 1
            }
            return whole + dropped >= Self.items.count * batches
        }
        #expect(isRead && dropped > 0 && whole > 0 && whole + dropped == Self.items.count * batches)
    }

    @Test("Lines wait for a reader that connects late or reconnects, and each is whole")
    func reconnecting() throws {
        let service = try TestService(auditingTo: "unix:\(folder.path)/s")
        #expect(service.assembly.auditReports.text.contains("cannot connect to the audit destination"))
        try ask(service, "a")
        var listener: UnixListener? = try UnixListener(path: folder.path + "/s")
        var connection = try listener?.accepted()
        #expect(connection?.read(until: { $0.contains(0x0A) }) == true)
        #expect(try AuditEntry.all(in: connection?.received ?? []).map(\.key) == ["public/a"])
        (connection, listener) = (nil, nil)
        try FileManager.default.removeItem(atPath: folder.path + "/s")
        try ask(service, "b")
        let second = try UnixListener(path: folder.path + "/s")
        let again = try second.accepted()
        #expect(again.read(until: { $0.contains(0x0A) }))
        #expect(try AuditEntry.all(in: again.received).map(\.key) == ["public/b"])
    }

    @Test("If a reader disconnects within a line, the next reader gets the whole line")
    func tornConnection() throws {
        let listener = try UnixListener(path: folder.path + "/s")
        let service = try TestService(auditingTo: "unix:\(folder.path)/s")
        var connection: UnixListener.Connection? = try listener.accepted()
        // More than a socket buffers, so that the writer stops within a line.
        for _ in 0..<10 { #expect(try service.exchange(batchRequest(Self.items)).status == 200) }
        #expect(connection?.read(until: { !$0.isEmpty }) == true)
        connection = nil
        let again = try listener.accepted()
        #expect(again.read(until: { $0.contains(0x0A) }))
        let end = try #require(again.received.lastIndex(of: 0x0A))
        #expect(try AuditEntry.all(in: again.received[...end]).allSatisfy { $0.key == "public/a" })
    }
}
