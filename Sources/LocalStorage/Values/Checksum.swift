import Cryptography
import Presigning
import Text

extension ChecksumAlgorithm {
    /// The name of the XML element for a checksum, such as `ChecksumSHA256`.
    var element: String { "Checksum" + name }

    /// The size of a checksum in bytes.
    var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        }
    }

    /// The algorithm's number in an object's file.
    var fileCode: UInt8 {
        switch self {
        case .crc32: 1
        case .crc32c: 2
        case .crc64nvme: 3
        case .sha1: 4
        case .sha256: 5
        }
    }

    /// The algorithm with a number in an object's file; nil for an unknown number.
    init?(fileCode: UInt8) {
        guard let algorithm = Self.allCases.first(where: { $0.fileCode == fileCode }) else { return nil }
        self = algorithm
    }
}

/// A checksum that is being computed.
enum ChecksumHasher: Sendable {
    case cyclic(CyclicRedundancyCheck)
    case sha1(InsecureHash)
    case sha256(SHA256)

    init(_ algorithm: ChecksumAlgorithm) {
        self =
            switch algorithm {
            case .crc32: .cyclic(CyclicRedundancyCheck(.crc32))
            case .crc32c: .cyclic(CyclicRedundancyCheck(.crc32c))
            case .crc64nvme: .cyclic(CyclicRedundancyCheck(.crc64nvme))
            case .sha1: .sha1(InsecureHash(.sha1))
            case .sha256: .sha256(SHA256())
            }
    }

    mutating func update(_ bytes: Span<UInt8>) {
        switch self {
        case .cyclic(var state):
            state.update(bytes)
            self = .cyclic(state)
        case .sha1(var state):
            state.update(bytes)
            self = .sha1(state)
        case .sha256(var state):
            state.update(bytes)
            self = .sha256(state)
        }
    }

    func digest() -> [UInt8] {
        switch self {
        case .cyclic(let state): state.digest()
        case .sha1(let state): state.digest()
        case .sha256(let state): state.digest().bytes
        }
    }
}

/// A checksum of an object or a part.
struct Checksum: Sendable, Equatable {
    var algorithm: ChecksumAlgorithm
    /// The checksum; empty if only the algorithm is known, as for a multipart upload.
    var bytes: [UInt8]
    /// The number of parts whose checksums this one covers (S3's `COMPOSITE`); 0 if it covers the content
    /// (`FULL_OBJECT`).
    var partCount = 0

    /// The value in headers and XML elements.
    var text: String { Base64.encode(bytes) + (partCount > 0 ? "-\(partCount)" : "") }

    /// The value of `x-amz-checksum-type`.
    var type: String { partCount > 0 ? "COMPOSITE" : "FULL_OBJECT" }
}
