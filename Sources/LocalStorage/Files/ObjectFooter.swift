import Cryptography
import Presigning

/// The metadata of an object. It follows the content in the same file, so both appear atomically.
///
/// A footer without content before it describes a multipart upload.
struct ObjectFooter: Sendable {
    var bucket: [UInt8]
    var key: [UInt8]
    /// The number of bytes before the footer.
    var contentLength: Int
    /// The entity tag without quotes: 32 hexadecimal digits, followed by `-` and the number of parts for a multipart
    /// object.
    var entityTag: [UInt8]
    var lastModified: SigningTime
    /// The headers in response order; names are in lower case.
    var headers: [S3Request.Field] = []
    var checksum: Checksum?
    /// The multipart upload that created the object; nil for other objects, and for those of earlier versions.
    var completion: Completion?

    /// A completed multipart upload.
    struct Completion: Sendable, Equatable {
        var uploadID: [UInt8]
        /// The digest of the list of parts that completed it.
        var listDigest: [UInt8] = []
        /// The sizes of the parts in bytes, in the order of their content.
        var partSizes: [Int] = []
    }
}

/// The file format: records of tag, length (4 bytes, big-endian) and value, then a trailer of 48 bytes. The trailer is
/// a SHA-256 (of the records and the rest of the trailer), the length of the records, the version and the magic number.
extension ObjectFooter {
    /// The size of the trailer, the last bytes of every file.
    static let trailerByteCount = SHA256Digest.byteCount + 16
    /// The maximum size of a footer: `HTTPLimits.headerBytes` bounds the metadata, and the sizes of 10,000 parts take
    /// 50,000 bytes.
    static let maximumByteCount = 128 * 1024
    /// The size of most footers, which is read first.
    static let usualByteCount = 1024
    /// The bytes of a part's size: enough for 5 GiB.
    private static let partSizeByteCount = 5
    private static let version = 1
    private static let magic = Array("PSLOCAL\n".utf8)

    private enum Tag: UInt8 {
        case bucket = 1
        case key, contentLength, entityTag, lastModified, headerName, headerValue, checksumAlgorithm, checksum
        case checksumParts, uploadID, listDigest, partSizes
    }

    /// The serialized footer.
    var encoded: [UInt8] {
        var records = RecordWriter()
        records.append(Tag.bucket.rawValue, bucket)
        records.append(Tag.key.rawValue, key)
        records.append(Tag.contentLength.rawValue, contentLength)
        records.append(Tag.entityTag.rawValue, entityTag)
        records.append(Tag.lastModified.rawValue, Int(lastModified.secondsSince1970))
        for (name, value) in headers {
            records.append(Tag.headerName.rawValue, name)
            records.append(Tag.headerValue.rawValue, value)
        }
        if let checksum {
            records.append(Tag.checksumAlgorithm.rawValue, [checksum.algorithm.fileCode])
            records.append(Tag.checksum.rawValue, checksum.bytes)
            records.append(Tag.checksumParts.rawValue, checksum.partCount)
        }
        if let completion {
            records.append(Tag.uploadID.rawValue, completion.uploadID)
            records.append(Tag.listDigest.rawValue, completion.listDigest)
            let sizes = completion.partSizes.flatMap { Self.bigEndian($0, count: Self.partSizeByteCount) }
            records.append(Tag.partSizes.rawValue, sizes)
        }
        let end = Self.bigEndian(records.bytes.count, count: 4) + Self.bigEndian(Self.version, count: 4) + Self.magic
        return records.bytes + SHA256.hash(records.bytes + end).bytes + end
    }

    /// The size of a footer according to its trailer, which is not checked; nil if the bytes have none.
    static func byteCount(atEndOf end: [UInt8]) -> Int? {
        guard end.count >= trailerByteCount else { return nil }
        return trailerByteCount + number(end.suffix(16).prefix(4))
    }

    /// Reads the footer at the end of a file; nil if it is missing or damaged.
    ///
    /// - Parameters:
    ///   - end: the end of the file, with the whole footer.
    ///   - fileSize: the size of the file in bytes; content and footer must fill it.
    init?(_ end: [UInt8], fileSize: Int) {
        guard end.count >= Self.trailerByteCount else { return nil }
        let trailer = end.suffix(Self.trailerByteCount)
        let (digest, rest) = (trailer.prefix(SHA256Digest.byteCount), trailer.suffix(16))
        let length = Self.number(rest.prefix(4))
        guard rest.suffix(8).elementsEqual(Self.magic), Self.number(rest.dropFirst(4).prefix(4)) == Self.version,
            length <= end.count - Self.trailerByteCount
        else { return nil }
        let records = Array(end.dropLast(Self.trailerByteCount).suffix(length))
        guard SHA256.hash(records + rest).bytes.elementsEqual(digest) else { return nil }
        self.init(bucket: [], key: [], contentLength: 0, entityTag: [], lastModified: .init(secondsSince1970: 0))
        var reader = RecordReader(rest: records[...])
        while let (tag, value) = reader.next() {
            guard let tag = Tag(rawValue: tag), take(tag, value) else { return nil }
        }
        guard reader.isAtEnd, contentLength == fileSize - Self.trailerByteCount - length else { return nil }
    }

    private mutating func take(_ tag: Tag, _ value: ArraySlice<UInt8>) -> Bool {
        switch tag {
        case .bucket: bucket = Array(value)
        case .key: key = Array(value)
        case .contentLength: contentLength = Self.number(value)
        case .entityTag: entityTag = Array(value)
        case .lastModified: lastModified = SigningTime(secondsSince1970: Int64(Self.number(value)))
        case .headerName: headers.append((Array(value), []))
        case .headerValue:
            guard let (name, _) = headers.popLast() else { return false }
            headers.append((name, Array(value)))
        case .checksumAlgorithm:
            guard let algorithm = value.first.flatMap(ChecksumAlgorithm.init(fileCode:)) else { return false }
            checksum = Checksum(algorithm: algorithm, bytes: [])
        case .checksum: checksum?.bytes = Array(value)
        case .checksumParts: checksum?.partCount = Self.number(value)
        case .uploadID: completion = Completion(uploadID: Array(value))
        case .listDigest: completion?.listDigest = Array(value)
        case .partSizes: completion?.partSizes = Self.partSizes(value)
        }
        return true
    }

    private static func partSizes(_ value: ArraySlice<UInt8>) -> [Int] {
        stride(from: value.startIndex, to: value.endIndex, by: partSizeByteCount).map { start in
            number(value[start...].prefix(partSizeByteCount))
        }
    }

    static func bigEndian(_ number: Int, count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}

private struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ tag: UInt8, _ value: [UInt8]) {
        bytes.append(tag)
        bytes += ObjectFooter.bigEndian(value.count, count: 4)
        bytes += value
    }

    mutating func append(_ tag: UInt8, _ number: Int) {
        append(tag, ObjectFooter.bigEndian(number, count: 8))
    }
}

private struct RecordReader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    /// Returns the next record; nil at the end, and for a record that exceeds the rest of the bytes.
    mutating func next() -> (tag: UInt8, value: ArraySlice<UInt8>)? {
        guard let tag = rest.first, rest.count >= 5 else { return nil }
        let length = ObjectFooter.number(rest.dropFirst().prefix(4))
        guard length <= rest.count - 5 else { return nil }
        defer { rest = rest.dropFirst(5 + length) }
        return (tag, rest.dropFirst(5).prefix(length))
    }
}

extension PartList {
    /// A digest of the parts, which does not depend on how the document writes them.
    var digest: [UInt8] {
        var hash = SHA256()
        for part in parts {
            let checksum = part.checksum.map { [$0.algorithm.fileCode] + $0.bytes } ?? []
            for field in [ObjectFooter.bigEndian(part.number, count: 2), part.entityTag, checksum] {
                hash.update((ObjectFooter.bigEndian(field.count, count: 4) + field).span)
            }
        }
        return hash.digest().bytes
    }
}
