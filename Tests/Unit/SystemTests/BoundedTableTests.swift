import Foundation
import Testing

@testable import System

@Suite("Bounded tables")
struct BoundedTableTests {
    private struct Entry: Expiring, Equatable {
        var expiry: Int64
        var byteCount = 1
        var count = 0
    }

    /// A table with a single part.
    private func small(byteLimit: Int = .max) -> BoundedTable<Int, Entry> {
        BoundedTable(capacity: 64, byteLimit: byteLimit)
    }

    @Test("Returns the last value inserted for the key")
    func values() {
        let table = small()
        #expect(table.value(for: 1) == nil && table.usage == (0, 0))
        table.insert(Entry(expiry: 5), for: 1)
        table.insert(Entry(expiry: 3, byteCount: 7), for: 1)
        table.insert(Entry(expiry: 4), for: 2)
        #expect(table.value(for: 1) == Entry(expiry: 3, byteCount: 7) && table.value(for: 3) == nil)
        #expect(table.usage == (2, 8))
    }

    @Test("An update starts from the initial value, then from the stored one")
    func updates() {
        let table = small()
        for expected in 1...3 {
            let result = table.update(9, initial: Entry(expiry: 1)) { entry in
                entry.count += 1
                return entry.count
            }
            #expect(result == expected && table.value(for: 9)?.count == expected)
        }
        #expect(table.usage.entries == 1)
    }

    @Test("A full part evicts the entry that expires first, whatever the order of insertion")
    func eviction() {
        let table = small()
        for key in (0..<64).shuffled() { table.insert(Entry(expiry: Int64(key)), for: key) }
        for key in 0..<64 {
            // Reading does not protect an entry, only its expiry does. Replacing a value needs no space.
            #expect(table.value(for: key) != nil)
            table.insert(Entry(expiry: Int64(key), count: 1), for: key)
        }
        #expect(table.usage.entries == 64)
        for new in 100..<110 {
            table.insert(Entry(expiry: 1000), for: new)
            #expect(table.usage.entries == 64 && table.value(for: new) != nil)
        }
        for key in 0..<64 { #expect((table.value(for: key) == nil) == (key < 10)) }
        // The newest entry is stored even if it expires first; the next insertion evicts it.
        table.insert(Entry(expiry: -1), for: 200)
        table.insert(Entry(expiry: 1000), for: 201)
        #expect(table.value(for: 200) == nil && table.value(for: 201) != nil && table.value(for: 11) != nil)
    }

    @Test("A part evicts as many entries as needed for the bytes, and stores none larger than itself")
    func bytes() {
        let table = small(byteLimit: 100)
        for key in 0..<4 { table.insert(Entry(expiry: Int64(key), byteCount: 25), for: key) }
        #expect(table.usage == (4, 100))
        table.insert(Entry(expiry: 9, byteCount: 26), for: 4)
        #expect(table.usage == (3, 76) && table.value(for: 1) == nil && table.value(for: 2) != nil)
        table.insert(Entry(expiry: 9, byteCount: 101), for: 5)
        #expect(table.usage == (3, 76) && table.value(for: 5) == nil)
        // An entry that has grown too large is removed.
        table.insert(Entry(expiry: 9, byteCount: 101), for: 4)
        #expect(table.usage == (2, 50) && table.value(for: 4) == nil)
        table.insert(Entry(expiry: 9, byteCount: 100), for: 6)
        #expect(table.usage == (1, 100))
    }

    @Test("Any sequence of insertions keeps the limits and the totals", arguments: 0..<20)
    func property(_: Int) {
        let table = BoundedTable<Int, Entry>(capacity: 256, byteLimit: 4000)
        var newest: [Int: Entry] = [:]
        for _ in 0..<3000 {
            let key = Int.random(in: 0..<400)
            let entry = Entry(expiry: .random(in: 0..<50), byteCount: .random(in: 0...40))
            table.insert(entry, for: key)
            newest[key] = entry
            #expect(table.value(for: key) == entry)
        }
        let found = (0..<400).compactMap { key in table.value(for: key).map { (key, $0) } }
        #expect(found.allSatisfy { newest[$0] == $1 })
        #expect(table.usage == (found.count, found.reduce(0) { $0 + $1.1.byteCount }))
        #expect(table.usage.entries <= 256 && table.usage.bytes <= 4000)
    }

    @Test("Half of the capacity fits without eviction; a flood stays within the capacity")
    func capacity() {
        let table = BoundedTable<Int, Entry>(capacity: 65_536)
        // On average 32 of 64 entries per part; the probability that any part gets more than 64 is about 10^-4.
        for key in 0..<32_768 { table.insert(Entry(expiry: 10), for: key) }
        #expect(table.usage.entries >= 32_760)
        for key in 100_000..<400_000 { table.insert(Entry(expiry: 5), for: key) }
        #expect(table.usage.entries <= 65_536)
        // The entry that expires after the whole flood stays.
        #expect((0..<32_768).count { table.value(for: $0) != nil } >= 32_700)
    }

    @Test("Concurrent updates of the same entries are not lost")
    func threads() {
        let table = BoundedTable<Int, Entry>(capacity: 128)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for index in 0..<5000 {
                table.update(index % 50, initial: Entry(expiry: 1)) { $0.count += 1 }
            }
        }
        #expect((0..<50).reduce(0) { $0 + (table.value(for: $1)?.count ?? 0) } == 20_000)
    }
}
