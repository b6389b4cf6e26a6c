import Foundation
import Synchronization
import System
import TestSupport
import Testing

@testable import ServiceRuntime

@Suite("Watched files")
struct FileWatchTests {
    private let folder: TemporaryDirectory
    private var files: WatchedFiles
    private var path: String { folder.path + "/presign.yaml" }
    private var key: String { folder.path + "/late.secret" }
    /// Milliseconds on the monotonic clock.
    private var now: Int64 = 0

    init() throws {
        folder = try TemporaryDirectory()
        let path = folder.path + "/presign.yaml"
        try Data("version: 1\n".utf8).write(to: URL(filePath: path))
        files = WatchedFiles(since: FileStamps([path]), at: Self.time(0))
    }

    private static func time(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: milliseconds * 1_000_000)
    }

    private func write(_ text: String, to path: String, _ options: Data.WritingOptions = []) throws {
        try Data(text.utf8).write(to: URL(filePath: path), options: options)
    }

    /// Expects the results of polls, which the command makes every two seconds.
    private mutating func expectPolls(_ results: Bool..., sourceLocation: SourceLocation = #_sourceLocation) {
        let found = results.map { _ in
            now += 2000
            return files.haveChanged(files.currentStamps, at: Self.time(now))
        }
        #expect(found == results, sourceLocation: sourceLocation)
    }

    /// What a reload at a time finds, which began at 0.
    private mutating func settling(
        at milliseconds: Int64, of paths: [String]? = nil, until deadline: Int64 = 10_000
    ) -> WatchedFiles.Settling {
        files.settling(
            files.currentStamps, of: paths ?? files.paths, at: Self.time(milliseconds), until: Self.time(deadline))
    }

    private static func wait(_ milliseconds: Int) -> WatchedFiles.Settling { .wait(milliseconds * 1_000_000) }

    @Test("A change is reported once, at the second poll that finds it")
    mutating func once() throws {
        expectPolls(false)
        try write("version: 1 # changed\n", to: path)
        expectPolls(false, true, false)
    }

    @Test("A file that is still being written is not reported")
    mutating func growing() throws {
        var text = "version: 1\n"
        for _ in 0..<5 {
            text += "# more\n"
            try write(text, to: path)
            expectPolls(false)
        }
        expectPolls(true)
    }

    @Test("A file that appears after the configuration that names it is reported once")
    mutating func late() throws {
        try write("version: 1 # names it\n", to: path)
        expectPolls(false, true)
        // A failed reload has read both.
        files.watch([path, key])
        #expect(settling(at: now) == Self.wait(1000))
        files.acknowledge([path, key])
        expectPolls(false, false)
        try write("secret", to: key)
        expectPolls(false, true, false)
    }

    @Test("What a reload for another reason has read is not reported")
    mutating func acknowledged() throws {
        try write("version: 1 # changed\n", to: path)
        #expect(settling(at: 1000) == Self.wait(1000))
        #expect(settling(at: 2000) == .quiet)
        files.acknowledge([path])
        expectPolls(false, false)
    }

    @Test("A file that polls have seen unchanged for a second can be read at once")
    mutating func quiet() {
        #expect(settling(at: 999) == Self.wait(1))
        #expect(settling(at: 1000) == .quiet)
    }

    @Test(
        "After any kind of change a file must be the same for a second",
        arguments: ["append", "truncate", "replace", "rename", "remove"])
    mutating func changes(kind: String) throws {
        expectPolls(false)
        switch kind {
        case "append": try write("version: 1\ndeny: []\n", to: path)
        case "truncate": try write("", to: path)
        case "replace": try write("version: 2\n", to: path)
        case "rename": try write("version: 1\n", to: path, .atomic)
        default: try FileManager.default.removeItem(atPath: path)
        }
        #expect(settling(at: 2100) == Self.wait(1000))
        #expect(settling(at: 2900) == Self.wait(200))
        try write("version: 1\n# the rest\n", to: path)
        #expect(settling(at: 3100) == Self.wait(1000))
        #expect(settling(at: 4100) == .quiet)
        // What has set its times back is not older than it is.
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
        #expect(settling(at: 9000) == Self.wait(1000))
    }

    @Test("A reload gives up after its deadline, and names the file; a later poll reports the file once it is quiet")
    mutating func deadline() throws {
        for time in stride(from: Int64(0), through: 9500, by: 500) {
            try write("version: \(time)\n", to: path)
            #expect(settling(at: time) == Self.wait(time == 9500 ? 500 : 1000))
        }
        #expect(settling(at: 10_000) == .changing(path))
        now = 10_000
        expectPolls(true, false)
    }

    @Test(
        "A file that the configuration names for the first time must be quiet too, and no file that it no longer names")
    mutating func named() throws {
        try write("secret", to: key)
        files.watch([path, key])
        #expect(settling(at: 5000, of: [path]) == .quiet)
        #expect(settling(at: 5000) == Self.wait(1000))
        try write("secret, the rest", to: key)
        #expect(settling(at: 6000, of: [path]) == .quiet)
        #expect(settling(at: 6000) == Self.wait(1000))
        #expect(settling(at: 7000) == .quiet)
    }
}

@Suite("Reading watched files")
struct FileReadingTests {
    @Test("A file that changes while it is read is read again, with the files that it names")
    func again() async throws {
        let folder = try TemporaryDirectory()
        let (path, key) = (folder.path + "/presign.yaml", folder.path + "/key")
        for (path, text) in [(path, "half"), (key, "key")] { try Data(text.utf8).write(to: URL(filePath: path)) }
        let watch = FileWatch(on: DispatchQueue(label: "test"), since: FileStamps([path]))
        let count = Mutex(0)
        let result = await withCheckedContinuation { continuation in
            watch.read([path]) {
                let text = try? String(contentsOfFile: path, encoding: .utf8)
                if count.withLock({
                    $0 += 1; return $0
                }) == 1 {
                    try? Data("whole".utf8).write(to: URL(filePath: path))
                }
                return (text, paths: [path, key])
            } then: {
                continuation.resume(returning: $0)
            }
        }
        #expect(try result.get() == "whole" && count.withLock { $0 } == 2)
    }
}
