import Testing

@testable import LocalStorage
@testable import Presigning

@Suite("Object footers")
struct ObjectFooterTests {
    static let footer = ObjectFooter(
        bucket: Array("local".utf8), key: [0, 0xFF, 0x2F, 0x2E, 0x2E], contentLength: 3,
        entityTag: Array("900150983cd24fb0d6963f7d28e17f72".utf8),
        lastModified: SigningTime(secondsSince1970: 1_700_000_000),
        headers: [(Array("content-type".utf8), Array("text/plain".utf8)), (Array("x-amz-meta-a".utf8), [])],
        checksum: Checksum(algorithm: .crc32, bytes: [1, 2, 3, 4], partCount: 2))

    @Test("A footer is unchanged after writing and reading it")
    func roundTrip() throws {
        let file = [1, 2, 3] + Self.footer.encoded
        let read = try #require(ObjectFooter(file, fileSize: file.count))
        #expect(read.encoded == Self.footer.encoded)
        #expect(read.key == Self.footer.key)
        #expect(read.headers.map(\.name) == Self.footer.headers.map(\.name))
        #expect(read.headers.map(\.value) == Self.footer.headers.map(\.value))
        #expect(read.checksum == Self.footer.checksum)
        #expect(read.lastModified == Self.footer.lastModified)
    }

    @Test("Checksum numbers are fixed, because files contain them")
    func checksumCodes() {
        #expect(ChecksumAlgorithm.allCases.map(\.fileCode) == [1, 2, 3, 4, 5])
        for algorithm in ChecksumAlgorithm.allCases {
            #expect(ChecksumAlgorithm(fileCode: algorithm.fileCode) == algorithm)
        }
        #expect(ChecksumAlgorithm(fileCode: 0) == nil && ChecksumAlgorithm(fileCode: 6) == nil)
        #expect(ChecksumAlgorithm.allCases.map(\.name) == ["CRC32", "CRC32C", "CRC64NVME", "SHA1", "SHA256"])
    }

    @Test("A file that was truncated or extended is not an object")
    func truncated() {
        let file = [1, 2, 3] + Self.footer.encoded
        for count in 0..<file.count { #expect(ObjectFooter(Array(file.prefix(count)), fileSize: count) == nil) }
        for count in 1..<4 {
            #expect(ObjectFooter(Array(file.dropFirst(count)), fileSize: file.count - count) == nil)
        }
        #expect(ObjectFooter(file + [0], fileSize: file.count + 1) == nil)
        #expect(ObjectFooter([0] + file, fileSize: file.count + 1) == nil)
    }

    @Test("A footer with any flipped bit is invalid")
    func flipped() {
        let file = [1, 2, 3] + Self.footer.encoded
        for index in 3..<file.count {
            for bit in 0..<8 {
                var damaged = file
                damaged[index] ^= 1 << UInt8(bit)
                #expect(ObjectFooter(damaged, fileSize: damaged.count) == nil, "byte \(index), bit \(bit)")
            }
        }
    }
}
