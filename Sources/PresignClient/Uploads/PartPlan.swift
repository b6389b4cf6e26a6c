import Foundation

/// How a file is divided: the rules of presign.js.
struct PartPlan: Sendable, Equatable {
    // S3's limits: https://docs.aws.amazon.com/AmazonS3/latest/userguide/qfacts.html
    /// The smallest part that S3 accepts, except for the last one: an interruption loses the parts in flight.
    static let partSize: Int64 = 5 << 20
    /// The largest part, and the largest file that S3 accepts in one PUT.
    static let maxPutSize: Int64 = 5 << 30
    static let maxParts: Int64 = 10_000
    /// The bytes of the parts that are copied for sending at the same time. On Linux, they are in memory too.
    #if canImport(FoundationNetworking)
        private static let maxBytesInFlight: Int64 = 128 << 20
    #else
        private static let maxBytesInFlight: Int64 = 256 << 20
    #endif

    let size: Int64
    /// The size of all parts but the last.
    let partSize: Int64

    /// - Parameters:
    ///   - size: The size of the file.
    ///   - limits: What the rule allows; parts then have exactly its size.
    /// - Throws: A failure if the file is too large.
    init(size: Int64, limits: Permissions.Limits) throws {
        let largest = limits.partSize ?? Self.maxPutSize
        let limit = min(limits.maxSize ?? .max, largest * Self.maxParts)
        guard size <= limit else { throw StorageFailure.tooLarge(size, limit: limit) }
        self.size = size
        partSize = limits.partSize ?? max(Self.partSize, (size + Self.maxParts - 1) / Self.maxParts)
    }

    init(size: Int64, partSize: Int64) {
        self.size = size
        self.partSize = partSize
    }

    /// An empty file has one empty part.
    var count: Int { max(1, Int((size + partSize - 1) / partSize)) }

    /// The bytes of a part. The first part has the number 1.
    func range(_ number: Int) -> Range<Int64> {
        let start = Int64(number - 1) * partSize
        return start..<min(start + partSize, size)
    }

    /// The number of parts in progress: for each connection one that is sent and one that waits for its response.
    func workers(connections: Int) -> Int {
        min(2 * connections, max(1, Int(Self.maxBytesInFlight / partSize)))
    }
}

/// One PUT, or several parts. Decided before anything is sent.
enum UploadPlan: Sendable, Equatable {
    /// The largest file that is sent without asking first, because asking would take longer than sending it.
    static let maxUnaskedSize: Int64 = 256 << 10
    /// The largest file that is sent in one PUT if it may be sent in parts.
    static let maxSingleSize: Int64 = 16 << 20

    case single
    case multipart(Permissions.Limits)

    /// - Throws: A failure if the file is too large.
    init(size: Int64, permissions: Permissions) throws {
        let limit = min(permissions.multipart?.partSize ?? Self.maxSingleSize, permissions.write?.maxSize ?? .max)
        if let multipart = permissions.multipart, permissions.write == nil || size > limit {
            self = .multipart(multipart)
            return
        }
        guard size <= PartPlan.maxPutSize else {
            throw StorageFailure.tooLarge(size, limit: PartPlan.maxPutSize, " without the action `multipart`")
        }
        self = .single
    }
}
