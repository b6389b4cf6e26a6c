import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import System
@testable import Text

@Suite("Object files")
struct ObjectFilesTests {
    private static let bucket = Array("local".utf8)

    private func store(_ directory: TemporaryDirectory) throws -> LocalStore {
        try LocalStore(directory: directory.path, buckets: [])
    }

    private func put(
        _ content: [UInt8], _ key: [UInt8], in store: LocalStore, if conditions: WriteConditions = .none
    ) throws {
        let file = try store.objects.newFile()
        try file.write(content.span)
        let footer = ObjectFooter(
            bucket: Self.bucket, key: key, contentLength: content.count,
            entityTag: Array(Hexadecimal.encode(InsecureHash.hash(content, .md5)).utf8), lastModified: store.clock())
        try store.objects.place(file, footer, if: conditions)
    }

    private func content(_ key: [UInt8], in store: LocalStore) throws -> [UInt8]? {
        guard let object = try store.objects.object(bucket: Self.bucket, key: key) else { return nil }
        return try object.file.read(at: 0, count: object.footer.contentLength)
    }

    @Test("Keys of arbitrary bytes are distinct, can be read back, and never escape the directory")
    func anyKey() throws {
        let outer = try TemporaryDirectory()
        try "untouched".write(toFile: outer.path + "/neighbour", atomically: false, encoding: .utf8)
        let inner = outer.path + "/store"
        let store = try LocalStore(directory: inner, buckets: [])
        var generator = SystemRandomNumberGenerator()
        let special = [
            "..", "../neighbour", "/", "//", ".", "a/../../neighbour", "/etc/passwd", "a", "a/", "a/b", "\0", "%2e",
        ]
        var objects = Dictionary(uniqueKeysWithValues: special.map { (Array($0.utf8), Array("*\($0)".utf8)) })
        objects[[UInt8](repeating: 0x2F, count: 1024)] = [1]
        objects[[UInt8](repeating: 0, count: 1024)] = [2]
        while objects.count < 2000 {
            let length = Int.random(in: 1...1024, using: &generator)
            // Every other key consists mostly of dots and slashes.
            let alphabet: [UInt8] = Bool.random() ? [0x2E, 0x2F, 0x2F, 0x00, 0x5C] : Array(0...255)
            let key = (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            objects[key] = SHA256.hash(key).bytes
        }
        for (key, content) in objects { try put(content, key, in: store) }
        for (key, expected) in objects {
            #expect(try content(key, in: store) == expected, "key \(Hexadecimal.encode(key))")
        }
        for name in try outer.files().keys where name != "neighbour" {
            #expect(
                name.wholeMatch(of: /store\/(objects\/[0-9a-f]{2}\/[0-9a-f]{62}|credentials|presign-local-storage)/)
                    != nil)
        }
        #expect(try String(contentsOfFile: outer.path + "/neighbour", encoding: .utf8) == "untouched")
        #expect(try outer.files(in: "/store/objects").count == objects.count)
        let sample = try #require(objects.keys.first)
        try store.objects.remove(bucket: Self.bucket, key: sample, if: .none)
        #expect(try content(sample, in: store) == nil)
    }

    @Test("A file that was truncated, corrupted in its footer, or moved to another key is never served")
    func damaged() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        let key = Array("key".utf8)
        try put(Array("some content".utf8), key, in: store)
        let name = try #require(try directory.files(in: "/objects").keys.first)
        let url = URL(fileURLWithPath: "\(directory.path)/objects/\(name)")
        let whole = try Data(contentsOf: url)
        for cut in [0, 1, 12, whole.count / 2, whole.count - 1] {
            try whole.prefix(cut).write(to: url)
            #expect(throws: S3Error.self) { try store.objects.object(bucket: Self.bucket, key: key) }
        }
        var turned = whole
        turned[whole.count - 60] ^= 1
        try turned.write(to: url)
        #expect { try store.objects.object(bucket: Self.bucket, key: key) } throws: {
            ($0 as? S3Error)?.code == "InternalError"
        }
        try whole.write(to: url)
        #expect(try content(key, in: store) == Array("some content".utf8))
        try put([1], Array("other".utf8), in: store)
        let other = try #require(try directory.files(in: "/objects").keys.first { $0 != name })
        try whole.write(to: URL(fileURLWithPath: "\(directory.path)/objects/\(other)"))
        #expect(throws: S3Error.self) { try store.objects.object(bucket: Self.bucket, key: Array("other".utf8)) }
        // It can still be replaced and removed.
        try put([2], Array("other".utf8), in: store)
        #expect(try content(Array("other".utf8), in: store) == [2])
    }

    @Test("A store opened again lists what it holds, without damaged and foreign files")
    func reopened() throws {
        let directory = try TemporaryDirectory()
        let keys = ["a", "b/c", "b/d", "z"].map { Array($0.utf8) }
        do {
            let store = try store(directory)
            for key in keys { try put(key, key, in: store) }
        }
        let names = try directory.files(in: "/objects").keys
        let first = try #require(names.first)
        try Data("no object".utf8).write(to: URL(fileURLWithPath: "\(directory.path)/objects/00/README"))
        let copy = try Data(contentsOf: URL(fileURLWithPath: "\(directory.path)/objects/\(first)"))
        try copy.write(to: URL(fileURLWithPath: "\(directory.path)/objects/00/\(String(repeating: "0", count: 62))"))
        let store = try store(directory)
        func listed() throws -> [[UInt8]] { try store.objects.page(ListQuery(), in: Self.bucket).items.map(\.key) }
        #expect(try listed() == keys)
        try put([1], Array("c".utf8), in: store)
        try store.objects.remove(bucket: Self.bucket, key: keys[0], if: .none)
        #expect(try listed() == [keys[1], keys[2], Array("c".utf8), keys[3]])
    }

    @Test("A footer larger than usual is listed")
    func largeFooter() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        let key = [UInt8](repeating: 0x6B, count: 1024)
        let file = try store.objects.newFile()
        let header = (Array("x-amz-meta-a".utf8), [UInt8](repeating: 0x61, count: 2000))
        let footer = ObjectFooter(
            bucket: Self.bucket, key: key, contentLength: 0, entityTag: [], lastModified: store.clock(),
            headers: [header])
        try store.objects.place(file, footer, if: .none)
        #expect(try store.objects.page(ListQuery(), in: Self.bucket).items.map(\.key) == [key])
    }

    @Test("Of concurrent writes with If-None-Match: *, one succeeds and the others fail")
    func racing() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        let conditions = try WriteConditions(request("PUT", "/local/key", [("If-None-Match", "*")]))
        let outcomes = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            let outcome: String
            do {
                try put([UInt8(index)], Array("key".utf8), in: store, if: conditions)
                outcome = "\(index)"
            } catch { outcome = (error as? S3Error)?.code ?? "\(error)" }
            outcomes.withLock { $0.append(outcome) }
        }
        let winners = outcomes.withLock { $0.filter { $0 != "PreconditionFailed" } }
        #expect(winners.count == 1)
        #expect(try content(Array("key".utf8), in: store)?.map { "\($0)" } == winners)
        store.cleanup.queue.sync {}
        #expect(try directory.files(in: "/incoming").isEmpty)
    }

    @Test("Of concurrent writes with If-Match on one version, one succeeds")
    func racingReplacement() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        try put([255], Array("key".utf8), in: store)
        let tag = Hexadecimal.encode(InsecureHash.hash([255], .md5))
        let conditions = try WriteConditions(request("PUT", "/local/key", [("If-Match", "\"\(tag)\"")]))
        let wins = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 16) { index in
            if (try? put([UInt8(index)], Array("key".utf8), in: store, if: conditions)) != nil {
                wins.add(1, ordering: .relaxed)
            }
        }
        #expect(wins.load(ordering: .relaxed) == 1)
    }

    @Test("A reader keeps its version while the object is replaced or removed")
    func reading() throws {
        let directory = try TemporaryDirectory()
        let store = try store(directory)
        let key = Array("key".utf8)
        try put([1, 2, 3], key, in: store)
        let old = try #require(try store.objects.object(bucket: Self.bucket, key: key))
        try put([4], key, in: store)
        try store.objects.remove(bucket: Self.bucket, key: key, if: .none)
        #expect(try old.file.read(at: 0, count: 3) == [1, 2, 3])
    }
}
