import Foundation
import TestSupport
import Testing

@testable import presign

@Suite("Watched files")
struct FileWatchTests {
    private let folder: TemporaryDirectory
    private var files: WatchedFiles
    private var path: String { folder.path + "/presign.yaml" }

    init() throws {
        folder = try TemporaryDirectory()
        let path = folder.path + "/presign.yaml"
        try Data("version: 1\n".utf8).write(to: URL(filePath: path))
        files = WatchedFiles(since: FileStamps([path]))
    }

    private func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

    /// The results of this many polls, which the command makes every two seconds.
    private mutating func polls(_ count: Int) -> [Bool] { (0..<count).map { _ in files.haveChanged() } }

    private mutating func expect(_ results: Bool..., sourceLocation: SourceLocation = #_sourceLocation) {
        let found = polls(results.count)
        #expect(found == results, sourceLocation: sourceLocation)
    }

    @Test("A change is reported once, at the second poll that finds it")
    mutating func once() throws {
        expect(false)
        try write("version: 1 # changed\n", to: path)
        expect(false, true, false)
    }

    @Test("A file that is still being written is neither reported nor stable")
    mutating func growing() throws {
        var text = "version: 1\n"
        for _ in 0..<5 {
            text += "# more\n"
            try write(text, to: path)
            expect(false)
            #expect(!files.isStable)
        }
        expect(true)
        #expect(files.isStable)
        try write(text + "deny: []\n", to: path)
        #expect(!files.isStable)
    }

    @Test("A file that appears after the configuration that names it is reported once")
    mutating func late() throws {
        let key = folder.path + "/late.secret"
        try write("version: 1 # names it\n", to: path)
        expect(false, true)
        // A failed reload has read both.
        files.watch([path, key])
        files.acknowledge(FileStamps([path, key]))
        expect(false, false)
        try write("secret", to: key)
        expect(false, true, false)
    }

    @Test("What a reload for another reason has read is not reported")
    mutating func acknowledged() throws {
        try write("version: 1 # changed\n", to: path)
        files.acknowledge(FileStamps([path]))
        expect(false, false)
    }
}
