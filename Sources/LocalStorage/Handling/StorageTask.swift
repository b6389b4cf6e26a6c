import HTTP1
import HTTPServer
import Text

/// One admitted request, and all it takes to carry it out.
struct StorageTask: Sendable {
    let store: LocalStore
    let request: S3Request
    let frame: ResponseFrame

    var bucket: [UInt8] { request.bucket }
    var key: [UInt8] { request.key }

    /// Checks what the head says of the operation, and chooses who takes the content.
    func decision(_ operation: S3Operation) throws(S3Error) -> HTTPBodyDecision {
        try StoredHeaders.check(request)
        switch operation {
        case .getObject, .headObject: return answering { task throws(S3Error) in try task.objectAnswer() }
        case .deleteObject: return deferring { task throws(S3Error) in try task.deleteObject() }
        case .createUpload: return deferring { task throws(S3Error) in try task.createUpload() }
        case .listParts(let id): return deferring { task throws(S3Error) in try task.listParts(of: id) }
        case .abortUpload(let id): return deferring { task throws(S3Error) in try task.abortUpload(id) }
        case .putObject: return .stream(limit: ContentLimits.object, try ContentReceiver(self, try objectTarget()))
        case .uploadPart(let id, let number):
            return .stream(limit: ContentLimits.object, try ContentReceiver(self, try partTarget(id, number)))
        case .completeUpload(let id):
            if let length = request.header("content-length").flatMap({ Int(decimal: $0.span) }),
                length > ContentLimits.document
            {
                throw S3Error(
                    400, "MaxMessageLengthExceeded", "Your request was too big.",
                    [("MaxMessageLengthBytes", Array("\(ContentLimits.document)".utf8))])
            }
            let receiver = DocumentReceiver(self) { task, document throws(S3Error) in
                try task.completeUpload(id, document)
            }
            return .stream(limit: ContentLimits.document, receiver)
        }
    }

    /// Carried out on the loop. Content that comes with it is read and means nothing.
    private func answering(
        _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        .stream(limit: ContentLimits.document, ReadyReceiver(self) { task, _ in task.response(body) })
    }

    /// Carried out on the queue, since it may wait for the disk.
    private func deferring(
        _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        let receiver = ReadyReceiver(self) { task, deferral in task.answerLater(deferral, body) }
        return .stream(limit: ContentLimits.document, receiver)
    }

    /// Runs `body` on the queue and answers with what it comes to; at once when the queue takes no more.
    func answerLater(
        _ deferral: HTTPDeferral, _ body: @escaping @Sendable (StorageTask) throws(S3Error) -> HTTPResponse
    ) -> HTTPResponse? {
        store.work.submit { deferral.complete(with: response(body)) } ? nil : frame.response(.slowDown)
    }

    /// Runs what a success does not hang on: a client that got an error would repeat what is done already.
    func tidy(_ body: () throws(S3Error) -> Void) {
        do throws(S3Error) {
            try body()
        } catch {
            frame.reportUntidied(error)
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
