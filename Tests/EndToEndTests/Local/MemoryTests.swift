import Foundation
import TestSupport
import Testing

@Suite("Memory of the local storage", .enabled(if: PresignProcess.binary != nil, "needs PRESIGN_BINARY"))
struct MemoryTests {
    /// The bytes to transfer; a long run has the largest object that S3 accepts in one request.
    private static let size: UInt64 = isLongRun ? 5 << 30 : 256 << 20

    @Test("Uploading and downloading a large object does not grow the process")
    func constant() async throws {
        try await ConcurrencyLimit.tests.pass { try await withTemporaryDirectory(transferring) }
    }

    private func transferring(in folder: URL) async throws {
        let server = try await LocalProcess.start(in: folder)
        let key = try server.apiKey
        let file = folder.appending(path: "big")
        // A sparse file: it uses no space and reads as zeros.
        try Data().write(to: file)
        try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(1 << 20))
        try await transfer(file, server, key)
        try FileHandle(forWritingTo: file).truncate(atOffset: Self.size)
        let before = try Self.peak(of: server.identifier)
        try await transfer(file, server, key)
        let growth = try Self.peak(of: server.identifier) - before
        #expect(growth <= 8 << 10, "\(growth) KiB on top of \(before) KiB")
        #expect(await server.end(SIGTERM) == 0)
    }

    /// Uploads, downloads and deletes the file, and compares the number of bytes.
    private func transfer(_ file: URL, _ server: LocalProcess, _ key: String) async throws {
        let options = ["-qfsS", "--noproxy", "*", "--max-time", "240"]
        let size = try #require(try FileManager.default.attributesOfItem(atPath: file.path())[.size] as? Int)
        let upload = try await Command.run(
            "/usr/bin/curl", options + ["-T", file.path(), try await server.url("PUT", "big", key: key)])
        try #require(upload.status == 0, "\(upload.errors)")
        let download = try await Command.run(
            "/usr/bin/curl",
            options + ["-o", "/dev/null", "-w", "%{size_download}", try await server.url("GET", "big", key: key)])
        try #require(download.status == 0 && download.output == "\(size)", "\(download)")
        let deleted = try await HTTP.send("DELETE", try await server.url("DELETE", "big", key: key))
        #expect(deleted.status == 204)
    }

    /// The peak memory of the process in KiB.
    static func peak(of process: Int32) throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.split(separator: " ").dropLast().last ?? ""))
    }
}
