import Foundation
import TestSupport
import Testing

@testable import Cryptography
@testable import HTTP1
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("Incoming content")
struct IncomingContentTests {
    @Test("Small pieces are written together", arguments: [1, 2, 31, 1000, 4095, 4096, 5000, 40_000])
    func writes(size: Int) throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore(directory: directory.path, buckets: [])
        let expectation = ContentExpectation(length: 40_000, computing: .crc32)
        var content = IncomingContent(expectation, in: try store.objects.newFile())
        let bytes = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/incoming").first)
        let path = "\(directory.path)/incoming/\(name)"
        // Each write changes the size of the file.
        var sizes: Set<Int> = []
        let look = {
            _ = sizes.insert(try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int))
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            try content.append(bytes[start..<min(start + size, bytes.count)])
            try look()
            #expect(content.byteCount == min(start + size, bytes.count))
        }
        let verified = try content.verified()
        try look()
        #expect(sizes.subtracting([0]).count <= bytes.count / HTTPLimits.reservedBytes + 1, "\(sizes.sorted())")
        #expect(try Array(Data(contentsOf: URL(filePath: path))) == bytes)
        #expect(verified.entityTag == Array(Hexadecimal.encode(InsecureHash.hash(bytes, .md5)).utf8))
        var checksum = ChecksumHasher(.crc32)
        checksum.update(bytes.span)
        #expect(verified.checksum?.bytes == checksum.digest())
    }

    @Test("A piece that is written at once follows what was held")
    func order() throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore(directory: directory.path, buckets: [])
        var content = IncomingContent(
            ContentExpectation(length: 5_003, computing: nil), in: try store.objects.newFile())
        let pieces = [[1], [UInt8](repeating: 2, count: 5_000), [3], [4]]
        for piece in pieces { try content.append(piece[...]) }
        _ = try content.verified()
        #expect(try directory.files(in: "/incoming").values.map { Array($0) } == [pieces.flatMap { $0 }])
    }
}
