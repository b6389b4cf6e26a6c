import Foundation

/// The file with the bytes that have arrived.
final class PartialFile: HTTPReceiver {
    /// The response is not the rest of the file.
    struct Refused: ReceiverError {}

    private let url: URL
    private let handle: FileHandle
    private let range: Locked<ReceivedRange>
    private let onObject: @Sendable (DownloadedObject) throws -> Void
    private let onLoaded: @Sendable (Int64, Int64?) -> Void

    /// Opens the file, or creates an empty one.
    ///
    /// - Parameters:
    ///   - object: The object whose bytes the file has.
    ///   - onObject: Receives the object when its first byte is about to be written.
    init(
        _ url: URL, of object: DownloadedObject?, onObject: @escaping @Sendable (DownloadedObject) throws -> Void,
        onLoaded: @escaping @Sendable (Int64, Int64?) -> Void
    ) throws {
        let (handle, size) = try StorageFailure.writing(url) {
            if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
            let handle = try FileHandle(forUpdating: url)
            return (handle, try handle.seekToEnd())
        }
        self.handle = handle
        range = Locked(ReceivedRange(loaded: Int64(size), object: object))
        self.url = url
        self.onObject = onObject
        self.onLoaded = onLoaded
    }

    deinit {
        try? handle.close()
    }

    /// What is here.
    var received: ReceivedRange { range.with { $0 } }

    /// Forgets the content, so that the next request is for the whole object.
    func restart() { range.with { $0.restart() } }

    func begin(_ head: HTTPHead) throws {
        switch range.with({ $0.begin(head) }) {
        case .append: return
        case .refuse: throw Refused()
        case .replace: break
        }
        try StorageFailure.writing(url) {
            try handle.truncate(atOffset: 0)
            try handle.seek(toOffset: 0)
        }
        if let object = received.object { try onObject(object) }
    }

    func receive(_ piece: Data) throws {
        try StorageFailure.writing(url) { try handle.write(contentsOf: piece) }
        range.with { $0.add(piece.count) }
        let received = received
        onLoaded(received.loaded, received.object?.total)
    }

    /// Whether the content has the storage's checksum; true if it has none. Reads the file.
    func hasChecksum() throws -> Bool {
        guard let checksum = received.object?.checksum else { return true }
        return try UploadSource.file(url, FileFingerprint(of: url)).checksum() == checksum
    }
}
