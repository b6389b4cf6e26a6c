import TestSupport
import Testing

@testable import Cryptography
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("The index of object names")
struct ObjectIndexTests {
    private static let bucket = Array("b".utf8)

    private static func footer(_ key: [UInt8], length: Int = 1) -> ObjectFooter {
        ObjectFooter(
            bucket: bucket, key: key, contentLength: length, entityTag: [], lastModified: .init(secondsSince1970: 0))
    }

    /// All names of a listing, read in pages of `maxKeys`.
    private static func names(_ index: ObjectIndex, _ query: ListQuery) throws -> [[UInt8]] {
        var query = query
        var names: [[UInt8]] = []
        while true {
            let page = index.page(query, in: bucket)
            let found = (page.items.map(\.key) + page.groups).sorted { $0.lexicographicallyPrecedes($1) }
            #expect(found.count == page.count && found.count <= query.maxKeys && page.last == found.last)
            names += found
            guard page.isTruncated else { return names }
            query.marker = page.last
        }
    }

    /// The names by S3's description of `prefix`, `delimiter` and `start-after`, without an index.
    private static func naive(_ keys: Set<[UInt8]>, _ query: ListQuery) -> [[UInt8]] {
        var names: Set<[UInt8]> = []
        for key in keys where key.starts(with: query.prefix) {
            if let marker = query.marker, !marker.lexicographicallyPrecedes(key) { continue }
            let rest = key.dropFirst(query.prefix.count)
            if let delimiter = query.delimiter?.first, let end = rest.firstIndex(of: delimiter) {
                let group = Array(key[...end])
                if group != query.marker { names.insert(group) }
            } else {
                names.insert(key)
            }
        }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("Random changes and listings agree with a set of keys", arguments: 1...10 as ClosedRange<UInt64>)
    func random(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet: [UInt8] = [0x2F, 0x2F, 0x61, 0x62, 0x00, 0xFF, 0x2E]
        func key() -> [UInt8] {
            (0..<Int.random(in: 1...5, using: &generator)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &generator)]
            }
        }
        var keys = Set((0..<60).map { _ in key() })
        var index = ObjectIndex(keys.shuffled(using: &generator).map { Self.footer($0) })
        for step in 0..<200 {
            let changed = key()
            if step.isMultiple(of: 3) {
                keys.remove(changed)
                index.remove(bucket: Self.bucket, key: changed)
            } else {
                keys.insert(changed)
                index.insert(Self.footer(changed))
            }
            var query = ListQuery(maxKeys: Int.random(in: 1...7, using: &generator))
            query.prefix = Bool.random(using: &generator) ? [] : Array(key().prefix(2))
            query.delimiter = [nil, [0x2F], []][Int.random(in: 0..<3, using: &generator)]
            query.marker = Bool.random(using: &generator) ? nil : key()
            #expect(try Self.names(index, query) == Self.naive(keys, query), "\(query)")
        }
    }

    @Test("An object that is replaced appears once, with its new size; other buckets are not affected")
    func replacement() {
        var index = ObjectIndex([Self.footer([1])])
        index.insert(Self.footer([1], length: 9))
        var other = Self.footer([2])
        other.bucket = [0]
        index.insert(other)
        #expect(index.page(ListQuery(), in: Self.bucket).items.map(\.contentLength) == [9])
        #expect(index.page(ListQuery(), in: [0]).count == 1 && index.page(ListQuery(), in: [7]).count == 0)
        index.remove(bucket: [7], key: [1])
    }

    @Test("No names are returned, and no further page announced, for a page of 0 names")
    func noNames() {
        let page = ObjectIndex([Self.footer([1])]).page(ListQuery(maxKeys: 0), in: Self.bucket)
        #expect(page.count == 0 && !page.isTruncated && page.last == nil)
    }
}
