import HTTP1
import HTTPServer

/// The responder of one request to the storage.
protocol StorageResponder: HTTPResponder {
    var task: StorageTask { get }
}

extension StorageResponder {
    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        task.frame.response(S3Error(failure))
    }
}

/// Ignores the content of a request, then carries it out.
final class ContentIgnoringResponder: StorageResponder {
    let task: StorageTask
    private let body: (StorageTask, HTTPDeferralSource) -> HTTPResponse?

    init(_ task: StorageTask, _ body: @escaping (StorageTask, HTTPDeferralSource) -> HTTPResponse?) {
        self.task = task
        self.body = body
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? { body(task, deferrals) }
}

/// Collects a small document in memory, then carries out the request.
final class DocumentResponder: StorageResponder {
    let task: StorageTask
    private let body: @Sendable (StorageTask, [UInt8]) throws(S3Error) -> HTTPResponse
    private var document: [UInt8] = []

    init(
        _ task: StorageTask, _ body: @escaping @Sendable (StorageTask, [UInt8]) throws(S3Error) -> HTTPResponse
    ) {
        self.task = task
        self.body = body
    }

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        document += content
        return nil
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        task.respondLater(deferrals.makeDeferral()) { [document, body] task throws(S3Error) in try body(task, document)
        }
    }
}

/// Receives an upload. It hashes and writes each piece as it arrives, so memory does not grow with the content.
final class UploadResponder: StorageResponder {
    /// What an upload is checked against and where it is stored.
    struct Target: Sendable {
        var expectation: ContentExpectation
        /// Stores the file as an object or a part.
        package var place: @Sendable (StorageTask, IncomingFile, VerifiedContent) throws(S3Error) -> HTTPResponse
    }

    let task: StorageTask
    private let target: Target
    private let file: IncomingFile
    private var digests: ContentDigests
    private var decoder: ChunkDecoder?

    init(_ task: StorageTask, _ target: Target) throws(S3Error) {
        self.task = task
        self.target = target
        file = try task.store.objects.newFile()
        digests = ContentDigests(target.expectation)
        decoder = try target.expectation.decoder(task.chunkSignatures)
    }

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        do throws(S3Error) {
            guard decoder != nil else {
                try write(content)
                return nil
            }
            var rest = content
            while let piece = try decoder?.next(&rest) { try write(piece) }
            return nil
        } catch {
            return task.frame.response(error)
        }
    }

    private func write(_ content: ArraySlice<UInt8>) throws(S3Error) {
        digests.update(content.span)
        try file.write(content.span)
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        task.respondLater(deferrals.makeDeferral()) { [target, file, digests, decoder] task throws(S3Error) in
            try target.place(task, file, try digests.verified(trailer: try decoder?.finish()))
        }
    }
}
