import Foundation
import Synchronization
import Testing

@testable import System

@Suite("Directories and files")
struct DirectoryTests {
    private static func temporary() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("directory-\(UUID().uuidString)").path
    }

    @Test("Files are created, written, read, linked, moved, listed and removed by name")
    func files() throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let root = try Directory(path: path)
        try root.makeDirectory("inner")
        try root.makeDirectory("inner")
        let inner = try root.directory("inner")
        let file = try inner.createFile("a")
        #expect(throws: SystemError.self) { try inner.createFile("a") }
        try file.write([1, 2, 3, 4].span)
        try file.sync()
        #expect(try file.status().size == 4)
        #expect(try file.status().permissions == 0o600)
        #expect(try file.read(at: 1, count: 100) == [2, 3, 4])
        try inner.link("a", to: root, as: "b")
        #expect { try inner.link("a", to: root, as: "b") } throws: { ($0 as? SystemError)?.isTaken == true }
        try inner.move("a", to: root, as: "c")
        #expect(try root.names().sorted() == ["b", "c", "inner"])
        #expect(try root.openFile("b").read(at: 0, count: 4) == [1, 2, 3, 4])
        #expect { try root.openFile("a") } throws: { ($0 as? SystemError)?.isAbsence == true }
        #expect { try root.remove("inner") } throws: { ($0 as? SystemError)?.isDirectory == true }
        try root.remove("b")
        try root.removeDirectory("inner")
        #expect(try root.names() == ["c"])
    }

    @Test("A file calls its close handler once, when its last reference is released")
    func closing() throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let count = Atomic(0)
        var file: OpenFile? = try Directory(path: path).createFile("a") { count.add(1, ordering: .relaxed) }
        var other = file
        file = nil
        #expect(count.load(ordering: .relaxed) == 0)
        other = nil
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(other == nil && file == nil)
    }

    @Test("Symbolic links are not followed, and only regular files are opened")
    func links() throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let root = try Directory(path: path)
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/hostname")
        try FileManager.default.createSymbolicLink(atPath: path + "/folder", withDestinationPath: "/etc")
        #expect(throws: SystemError.self) { try root.openFile("link") }
        #expect(throws: SystemError.self) { try root.createFile("link") }
        #expect(throws: SystemError.self) { try root.directory("folder") }
        try root.makeDirectory("inner")
        #expect(throws: SystemError.self) { try root.openFile("inner") }
    }

    @Test("A lock has one holder until the directory is closed")
    func locking() throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        var first: Directory? = try Directory(path: path)
        #expect(try first?.lock() == true)
        #expect(try Directory(path: path).lock() == false)
        first = nil
        #expect(try Directory(path: path).lock())
    }

    @Test("Exactly the requested bytes are copied, and a short file is an error")
    func copying() throws {
        let path = Self.temporary()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let root = try Directory(path: path)
        let (source, target) = (try root.createFile("a"), try root.createFile("b"))
        let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try source.write(content.span)
        try target.write([9].span)
        try source.copy(first: 600_000, to: target)
        #expect(try target.read(at: 0, count: 700_000) == [9] + content.prefix(600_000))
        #expect(throws: SystemError(EIO)) { try source.copy(first: 700_001, to: target) }
    }

    @Test(
        "A file can be copied between file systems",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/shm")))
    func copyingAcross() throws {
        let (here, there) = (Self.temporary(), "/dev/shm/directory-\(UUID().uuidString)")
        defer { for path in [here, there] { try? FileManager.default.removeItem(atPath: path) } }
        let source = try Directory(path: here).createFile("a")
        let target = try Directory(path: there).createFile("b")
        let content = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try source.write(content.span)
        try source.copy(first: 700_000, to: target)
        #expect(try target.read(at: 0, count: 800_000) == content)
    }
}
