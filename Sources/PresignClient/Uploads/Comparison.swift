import Foundation

/// Whether a stored object is the content of an upload.
enum ComparisonResult: Sendable {
    case same
    case different
    case absent
    /// The caller may not read it, or the storage did not respond.
    case unknown
}

extension StorageClient {
    /// Compares an object with the content of an upload. Reads the object, because not every storage keeps a checksum.
    func compare(_ path: String, with source: UploadSource, waiting: Waiting) async throws -> ComparisonResult {
        let object: StoredObject
        switch try await lookUp(path, waiting: waiting) {
        case .present(let found): object = found
        case .absent: return .absent
        case .unknown: return .unknown
        }
        if let size = object.size, size != source.size { return .different }
        do {
            let signed = try await service.sign(SignRequest(method: "GET", path: path), waiting: waiting)
            let comparison = try Comparison(with: source)
            let request = HTTPRequest(
                method: signed.method, url: signed.url, headers: signed.headers, timeout: requests.timeout)
            let response = try await requests.send(request, server: "storage", to: comparison)
            guard response.head.isSuccess else { return .unknown }
            return comparison.isComplete ? .same : .different
        } catch is Comparison.Difference {
            return .different
        } catch is StorageFailure {
            return .unknown
        }
    }
}

/// Compares the bytes of a response with the content of an upload, without holding either in memory.
private final class Comparison: HTTPReceiver {
    struct Difference: ReceiverError {}

    private let source: UploadSource
    private let file: FileHandle?
    private let compared = Locked<Int64>(0)

    init(with source: UploadSource) throws {
        self.source = source
        guard case .file(let url, _) = source else {
            file = nil
            return
        }
        file = try StorageFailure.reading(url) { try FileHandle(forReadingFrom: url) }
    }

    deinit {
        try? file?.close()
    }

    var isComplete: Bool { compared.with { $0 } == source.size }

    func begin(_ head: HTTPHead) {}

    func receive(_ piece: Data) throws {
        let start = compared.with { $0 }
        guard try expected(start, piece.count) == piece else { throw Difference() }
        compared.with { $0 += Int64(piece.count) }
    }

    private func expected(_ start: Int64, _ count: Int) throws -> Data? {
        if let file { return try file.read(upToCount: count) }
        guard case .data(let data) = source, start + Int64(count) <= Int64(data.count) else { return nil }
        let first = data.startIndex + Int(start)
        return data[first..<first + count]
    }
}
