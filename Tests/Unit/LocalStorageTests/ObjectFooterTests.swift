import Testing

@testable import HTTP1
@testable import LocalStorage
@testable import Presigning
@testable import Text

@Suite("Object footers")
struct ObjectFooterTests {
    static let footer = ObjectFooter(
        bucket: Array("local".utf8), key: [0, 0xFF, 0x2F, 0x2E, 0x2E], contentLength: 3,
        entityTag: Array("900150983cd24fb0d6963f7d28e17f72".utf8),
        lastModified: SigningTime(secondsSince1970: 1_700_000_000),
        headers: [(Array("content-type".utf8), Array("text/plain".utf8)), (Array("x-amz-meta-a".utf8), [])],
        checksum: Checksum(algorithm: .crc32, bytes: [1, 2, 3, 4], partCount: 2),
        completion: .init(uploadID: [0x61], listDigest: [7, 8], partSizes: [1, 2, 5 << 30]))

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
        #expect(read.completion == Self.footer.completion)
    }

    @Test("A footer of an earlier version has no completion")
    func earlierVersion() throws {
        let stored = try #require(
            Hexadecimal.decode(
                Array(
                    ("01000000056c6f63616c02000000036b6579030000000800000000000000030400000022393030313530393833636432"
                        + "34666230643639363366376432386531376637322d320500000008000000006553f1000600000013782d616d7a2d"
                        + "74616767696e672d636f756e740700000001317a99eff999086d7411d1ed2d7d239c14988bab7ec3451a917b4bbc"
                        + "cec5702670000000710000000150534c4f43414c0a").utf8)))
        let read = try #require(ObjectFooter([1, 2, 3] + stored, fileSize: 3 + stored.count))
        #expect(read.key == Array("key".utf8) && read.entityTag.suffix(2) == Array("-2".utf8)[...])
        #expect(read.completion == nil && read.encoded == stored)
    }

    @Test("The largest footer of an upload can be read")
    func largest() throws {
        var footer = Self.footer
        footer.key = [UInt8](repeating: 0x61, count: 1024)
        footer.headers = [
            (Array("x-amz-tagging".utf8), [UInt8](repeating: 0x61, count: LocalStore.serverLimits.headerBytes))
        ]
        footer.completion?.partSizes = [Int](repeating: 5 << 30, count: 10_000)
        #expect(footer.encoded.count <= ObjectFooter.maximumByteCount)
        let read = ObjectFooter([1, 2, 3] + footer.encoded, fileSize: 3 + footer.encoded.count)
        #expect(read?.completion == footer.completion)
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
