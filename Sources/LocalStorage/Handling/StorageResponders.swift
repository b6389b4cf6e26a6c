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

/// Carries out a request once it is complete. Streamed content is ignored.
final class CompleteResponder: StorageResponder {
    let task: StorageTask
    private let body: (HTTPRequest, HTTPDeferralSource) -> HTTPResponse?

    init(_ task: StorageTask, _ body: @escaping (HTTPRequest, HTTPDeferralSource) -> HTTPResponse?) {
        (self.task, self.body) = (task, body)
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? { body(request, deferrals) }
}

/// Receives an upload. It hashes and writes each piece as it arrives, so memory does not grow with the content.
final class UploadResponder: StorageResponder {
    /// What an upload is checked against and where it is stored.
    struct Target: Sendable {
        let expectation: ContentExpectation
        /// Stores the file as an object or a part.
        let place: @Sendable (IncomingFile, VerifiedContent) throws(S3Error) -> HTTPResponse
    }

    let task: StorageTask
    private let target: Target
    private var content: IncomingContent
    private var decoder: ChunkDecoder?

    init(_ task: StorageTask, _ target: Target) throws(S3Error) {
        self.task = task
        self.target = target
        content = IncomingContent(target.expectation, in: try task.store.objects.newFile())
        decoder = try target.expectation.decoder(task.chunkSignatures)
    }

    func receive(_ piece: ArraySlice<UInt8>) -> HTTPResponse? {
        do throws(S3Error) {
            guard decoder != nil else {
                try content.append(piece)
                return nil
            }
            var rest = piece
            while let decoded = try decoder?.next(&rest) { try content.append(decoded) }
            return nil
        } catch {
            return task.frame.response(error)
        }
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        task.respondLater(deferrals.makeDeferral()) { [target, content, decoder] () throws(S3Error) in
            var content = content
            return try target.place(content.file, try content.verified(trailer: try decoder?.finish()))
        }
    }
}
