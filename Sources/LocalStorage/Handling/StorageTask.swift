import HTTP1
import HTTPServer
import Text

/// One authenticated request and everything needed to carry it out.
struct StorageTask: Sendable {
    let store: LocalStore
    let request: S3Request
    let frame: ResponseFrame

    var bucket: [UInt8] { request.bucket }
    var key: [UInt8] { request.key }

    /// Checks the operation's headers and selects the responder that receives the content.
    func decision(_ operation: S3Operation) throws(S3Error) -> HTTPBodyDecision {
        try StoredHeaders.check(request)
        switch operation {
        case .getObject, .headObject: return runOnLoop { task throws(S3Error) in try task.objectResponse() }
        case .deleteObject: return runOnQueue { task throws(S3Error) in try task.deleteObject() }
        case .listObjects: return runOnQueue { task throws(S3Error) in try task.listObjects() }
        case .createUpload: return runOnQueue { task throws(S3Error) in try task.createUpload() }
        case .listParts(let id): return runOnQueue { task throws(S3Error) in try task.listParts(of: id) }
        case .abortUpload(let id): return runOnQueue { task throws(S3Error) in try task.abortUpload(id) }
        case .putObject: return .stream(limit: ContentLimits.object, try UploadResponder(self, try objectTarget()))
        case .uploadPart(let id, let number):
            return .stream(limit: ContentLimits.object, try UploadResponder(self, try partTarget(id, number)))
        case .completeUpload(let id):
            if let length = request.header("content-length").flatMap({ Int(decimal: $0.span) }),
                length > ContentLimits.document
            {
                throw S3Error(
                    400, "MaxMessageLengthExceeded", "Your request was too big.",
                    [("MaxMessageLengthBytes", Array("\(ContentLimits.document)".utf8))])
            }
            let responder = DocumentResponder(self) { task, document throws(S3Error) in
                try task.completeUpload(id, document)
            }
            return .stream(limit: ContentLimits.document, responder)
        }
    }

    /// Carries out the request on the event loop and ignores its content.
    private func runOnLoop(
        _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        .stream(limit: ContentLimits.document, ContentIgnoringResponder(self) { task, _ in task.response(body) })
    }

    /// Carries out the request on the work queue, because it may wait for the disk, and ignores its content.
    private func runOnQueue(
        _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        let responder = ContentIgnoringResponder(self) { task, deferral in task.respondLater(deferral, body) }
        return .stream(limit: ContentLimits.document, responder)
    }

    /// Runs `body` on the work queue and completes the deferral with its response. Returns 503 if the queue is full.
    func respondLater(
        _ deferral: HTTPDeferral, _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPResponse? {
        store.work.submit { deferral.complete(with: response(body)) } ? nil : frame.response(.slowDown)
    }

    /// Runs the cleanup after an operation. A failure is only reported, because the client would repeat an operation
    /// that has already succeeded.
    func cleanUp(_ body: () throws(S3Error) -> Void) {
        do throws(S3Error) {
            try body()
        } catch {
            frame.reportFailedCleanup(error)
        }
    }

    private func response(_ body: (StorageTask) throws(S3Error) -> HTTPResponse) -> HTTPResponse {
        do throws(S3Error) {
            return frame.finish(try body(self))
        } catch {
            return frame.response(error)
        }
    }
}
