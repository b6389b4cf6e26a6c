import Cryptography
import Text

/// The checksums S3 takes with an upload ("Checking object integrity").
package enum ChecksumAlgorithm: UInt8, Sendable, CaseIterable {
    case crc32 = 1
    case crc32c
    case crc64nvme
    case sha1
    case sha256

    /// As `x-amz-checksum-algorithm` and the messages spell it.
    package var name: String {
        switch self {
        case .crc32: "CRC32"
        case .crc32c: "CRC32C"
        case .crc64nvme: "CRC64NVME"
        case .sha1: "SHA1"
        case .sha256: "SHA256"
        }
    }

    /// The header that carries a checksum, in lower case.
    package var header: String { "x-amz-checksum-" + name.lowercased() }

    /// The element that carries a checksum.
    package var element: String { "Checksum" + name }

    /// Bytes of a checksum.
    var byteCount: Int {
        switch self {
        case .crc32, .crc32c: 4
        case .crc64nvme: 8
        case .sha1: 20
        case .sha256: 32
        }
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
    /// As computed; empty where only the algorithm is known, as of an upload in parts.
    var bytes: [UInt8]
    /// Not 0: it is that of so many parts' checksums (S3's `COMPOSITE`), else that of the content (`FULL_OBJECT`).
    var partCount = 0

    /// As headers and elements carry it.
    var text: String { Base64.encode(bytes) + (partCount > 0 ? "-\(partCount)" : "") }

    /// As `x-amz-checksum-type` says it.
    var type: String { partCount > 0 ? "COMPOSITE" : "FULL_OBJECT" }
}
