import Foundation

/// Which bytes of an object are here, and whether a response continues them.
struct ReceivedRange: Sendable, Equatable {
    /// What to do with the body of a response.
    enum Step: Sendable, Equatable {
        /// It is the rest.
        case append
        /// It is the whole object.
        case replace
        /// It is a part of an object that has changed. The next request is for the whole one.
        case refuse
    }

    /// The number of bytes that are here.
    private(set) var loaded: Int64
    private(set) var object: DownloadedObject?

    /// - Parameters:
    ///   - loaded: The size of the file of an earlier start of the app.
    ///   - object: The object that it belongs to.
    init(loaded: Int64 = 0, object: DownloadedObject? = nil) {
        self.loaded = object?.etag == nil ? 0 : loaded
        self.object = object
    }

    /// The headers that request the rest; empty for the whole object. `If-Range` lets the storage send all of an object
    /// that has changed.
    var headers: [String: String] {
        guard loaded > 0, let etag = object?.etag else { return [:] }
        return ["Range": "bytes=\(loaded)-", "If-Range": etag]
    }

    var isComplete: Bool { loaded > 0 && loaded == object?.total }

    mutating func restart() { loaded = 0 }

    mutating func add(_ count: Int) { loaded += Int64(count) }

    /// Reads the head of a 2xx response.
    mutating func begin(_ head: HTTPHead) -> Step {
        if head.status == 206 {
            // Not every storage knows If-Range.
            let isRest = loaded > 0 && head["etag"] == object?.etag && Self.start(of: head) == loaded
            if isRest { return .append }
            restart()
            return .refuse
        }
        restart()
        object = DownloadedObject(head)
        return .replace
    }

    /// The first byte in `Content-Range: bytes 5-9/10`.
    private static func start(of head: HTTPHead) -> Int64? {
        guard let range = head["content-range"], range.hasPrefix("bytes ") else { return nil }
        return Int64(range.dropFirst("bytes ".count).prefix { $0 != "-" })
    }
}

extension DownloadedObject {
    init(_ head: HTTPHead) {
        // URLSession decodes encoded content, so its bytes are not those that the storage counts.
        let isEncoded = head["content-encoding"].map { $0 != "identity" && $0 != "aws-chunked" } ?? false
        let etag = head["etag"].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        // The checksum of an object in parts can be one of the parts' checksums: it ends in their number.
        let checksum = head["x-amz-checksum-sha256"].flatMap { $0.contains("-") ? nil : $0 }
        let isWhole = head["x-amz-checksum-type"].map { $0 == "FULL_OBJECT" } ?? true
        self.init(
            etag: isEncoded ? nil : etag, total: isEncoded ? nil : head["content-length"].flatMap { Int64($0) },
            checksum: isEncoded || !isWhole ? nil : checksum)
    }
}
