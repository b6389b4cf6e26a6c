import Foundation
import Testing

@testable import System

@Suite("System interface")
struct SystemInterfaceTests {
    @Test("A file is read whole or rejected by size; missing and unreadable files are distinguished")
    func files() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try Data(repeating: 7, count: 40_000).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try ReadableFile.contents(of: path) == [UInt8](repeating: 7, count: 40_000))
        #expect(throws: ReadableFile.Failure.self) { try ReadableFile.contents(of: path, limit: 39_999) }
        #expect {
            try ReadableFile.contents(of: path + ".absent")
        } throws: {
            ($0 as? ReadableFile.Failure)?.isAbsent == true && "\($0)".contains("No such file")
        }
        let absent = #expect(throws: ReadableFile.Failure.self) { try ReadableFile.contents(of: path + ".absent") }
        #expect(absent.map(ReadableFile.reason) == "cannot be read: No such file or directory")
        #expect { try ReadableFile.contents(of: "/") } throws: { ($0 as? ReadableFile.Failure)?.isAbsent == false }
    }

    @Test("A writer writes every byte, even into a full pipe, and reports a closed one")
    func writing() async throws {
        let pipe = Pipe()
        let writer = DescriptorWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let payload = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        async let received = Task.detached { try pipe.fileHandleForReading.read(upToCount: payload.count) }.value
        try writer.write(payload)
        try #expect(await received.map { [UInt8]($0) } == payload)
        #expect(throws: DescriptorWriter.Incomplete.self) { try DescriptorWriter(descriptor: -1).write([1]) }
    }

    @Test("A system call is repeated after EINTR; other errors are thrown")
    func interrupted() throws {
        var results: [(Int, Int32)] = [(-1, EINTR), (-1, EINTR), (7, 0), (-1, EINTR), (-1, EIO)]
        let call = {
            let (result, code) = results.removeFirst()
            errno = code
            return result
        }
        #expect(try SystemError.retryingOnInterrupt(call) == 7)
        #expect(throws: SystemError(EIO)) { try SystemError.retryingOnInterrupt(call) }
        #expect(results.isEmpty)
    }

    @Test("Checking whether a file can be appended to does not create or change it")
    func appending() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "audit.jsonl")
        try OutputDescriptor.checkAppending(to: file.path())
        #expect(!FileManager.default.fileExists(atPath: file.path()))
        try Data("torn".utf8).write(to: file)
        try OutputDescriptor.checkAppending(to: file.path())
        #expect(try Data(contentsOf: file) == Data("torn".utf8))
        let link = folder.appending(path: "link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        for path in [folder.path(), folder.path() + "/none/audit.jsonl", file.path() + "/audit.jsonl", link.path()] {
            #expect(throws: SystemError.self, "\(path)") { try OutputDescriptor.checkAppending(to: path) }
            #expect(throws: SystemError.self, "\(path)") { _ = try OutputDescriptor.appending(to: path) }
        }
    }

    @Test("Errors have the system's text")
    func errorText() {
        #expect(SystemError(2).description == "No such file or directory")
        #expect(SystemError(98).description == "Address already in use")
    }

    @Test("The arguments are those of the standard library")
    func arguments() {
        #expect(!Environment.arguments.isEmpty)
        #expect(Environment.arguments == Array(CommandLine.arguments.dropFirst()))
    }

    @Test("The clock returns a time of this century")
    func clock() {
        #expect(abs(Double(WallClock.seconds()) - Date().timeIntervalSince1970) < 5)
    }
}
