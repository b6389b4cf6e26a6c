import Foundation
import Testing

@testable import System

@Suite("System interface")
struct SystemInterfaceTests {
    @Test("a file is read whole, or refused by its size; what is absent is told from what is broken")
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

    @Test("a writer writes every byte, also into a pipe that is full at first, and reports a closed one")
    func writing() async throws {
        let pipe = Pipe()
        let writer = DescriptorWriter(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let payload = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        async let received = Task.detached { try pipe.fileHandleForReading.read(upToCount: payload.count) }.value
        try writer.write(payload)
        try #expect(await received.map { [UInt8]($0) } == payload)
        #expect(throws: DescriptorWriter.Incomplete.self) { try DescriptorWriter(descriptor: -1).write([1]) }
    }

    @Test("a system call is repeated while signals interrupt it, and its other failures are thrown")
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

    @Test("whether a file can be appended to is found without making or changing it")
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

    @Test("errors are named as the system names them")
    func errorText() {
        #expect(SystemError(2).description == "No such file or directory")
        #expect(SystemError(98).description == "Address already in use")
    }

    @Test("the arguments are those that the standard library reads of /proc")
    func arguments() {
        #expect(!Environment.arguments.isEmpty)
        #expect(Environment.arguments == Array(CommandLine.arguments.dropFirst()))
    }

    @Test("the clock tells this century's time")
    func clock() {
        #expect(abs(Double(WallClock.seconds()) - Date().timeIntervalSince1970) < 5)
    }
}
