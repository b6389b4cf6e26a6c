import Foundation

/// What the storage tells about an object without its content.
struct StoredObject: Sendable, Equatable {
    let size: Int64?
    let etag: String?

    init(_ head: HTTPHead) {
        size = head["content-length"].flatMap { Int64($0) }
        etag = head["etag"]
    }
}

/// The result of asking for an object.
enum ObjectLookup: Sendable, Equatable {
    case present(StoredObject)
    case absent
    /// The caller may not read it.
    case unknown
}

extension StorageClient {
    /// Asks for an object's headers.
    func lookUp(_ path: String, waiting: Waiting) async throws -> ObjectLookup {
        do {
            let request = SignRequest(method: "HEAD", path: path)
            return .present(try await perform(request, waiting: waiting) { StoredObject($0.head) })
        } catch let failure as StorageFailure {
            if failure.source == .network { throw failure }
            return failure.source == .storage && failure.status == 404 ? .absent : .unknown
        }
    }

    /// Deletes an object. S3 responds with success even if it does not exist.
    func remove(_ path: String) async throws {
        try await perform(SignRequest(method: "DELETE", path: path), waiting: .limited) { _ in }
    }
}
