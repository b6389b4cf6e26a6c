import HTTP1
import HTTPServer

/// An operation of the storage that responds to one request.
protocol StorageResponder: HTTPResponder {
    var task: StorageTask { get }
}

extension StorageResponder {
    func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse? {
        task.frame.response(S3Error(failure))
    }
}

/// For requests whose content means nothing: ignores it, then carries out the request.
final class ReadyReceiver: StorageResponder {
    let task: StorageTask
    private let body: (StorageTask, HTTPDeferral) -> HTTPResponse?

    init(_ task: StorageTask, _ body: @escaping (StorageTask, HTTPDeferral) -> HTTPResponse?) {
        self.task = task
        self.body = body
    }

    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? { body(task, deferral) }
}

/// For requests with a small document: gathers it whole.
final class DocumentReceiver: StorageResponder {
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

    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        task.answerLater(deferral) { [document, body] task throws(S3Error) in try body(task, document) }
    }
}

/// For uploads: hashes and writes every piece at once, so that memory does not grow with the content.
final class ContentReceiver: StorageResponder {
    /// What becomes of the content.
    struct Target: Sendable {
        var expectation: ContentExpectation
        /// Makes the file what it is to be; `entityTag` is that of its content.
        package var place: @Sendable (StorageTask, IncomingFile, _ entityTag: [UInt8]) throws(S3Error) -> HTTPResponse
    }

    let task: StorageTask
    private let target: Target
    private let file: IncomingFile
    private var digests: ContentDigests

    init(_ task: StorageTask, _ target: Target) throws(S3Error) {
        self.task = task
        self.target = target
        file = try task.store.objects.newFile()
        digests = ContentDigests(target.expectation)
    }

    func receive(_ content: ArraySlice<UInt8>) -> HTTPResponse? {
        do throws(S3Error) {
            digests.update(content.span)
            try file.write(content.span)
            return nil
        } catch {
            return task.frame.response(error)
        }
    }

    func respond(to request: HTTPRequest, deferral: HTTPDeferral) -> HTTPResponse? {
        task.answerLater(deferral) { [target, file, digests] task throws(S3Error) in
            try target.place(task, file, try digests.verifiedEntityTag())
        }
    }
}
