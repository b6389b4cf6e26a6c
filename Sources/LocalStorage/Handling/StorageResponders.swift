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
    private let body: (HTTPDeferralSource) -> HTTPResponse?

    init(_ task: StorageTask, _ body: @escaping (HTTPDeferralSource) -> HTTPResponse?) {
        (self.task, self.body) = (task, body)
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? { body(deferrals) }
}

/// Carries out a request with a small document, which the server has collected within its budget.
final class DocumentResponder: StorageResponder {
    /// How much memory a document takes, with what is read from it, in multiples of its size: 10,000 parts take 1.3 MB,
    /// and their document 0.6 MB or more.
    private static let expansion = 3

    let task: StorageTask
    private let body: @Sendable ([UInt8]) throws(S3Error) -> HTTPResponse

    init(_ task: StorageTask, _ body: @escaping @Sendable ([UInt8]) throws(S3Error) -> HTTPResponse) {
        (self.task, self.body) = (task, body)
    }

    func respond(to request: HTTPRequest, deferrals: HTTPDeferralSource) -> HTTPResponse? {
        guard task.hold(Self.expansion * request.body.count) else { return task.frame.response(.slowDown) }
        let document = Array(request.body)
        return task.respondLater(deferrals.makeDeferral()) { [body] () throws(S3Error) in try body(document) }
    }
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
