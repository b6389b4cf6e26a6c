import Cryptography
import HTTP1
import HTTPServer
import Presigning
import Text

/// One authenticated request and everything needed to carry it out.
struct StorageTask: Sendable {
    let store: LocalStore
    let request: S3Request
    let frame: ResponseFrame
    /// What the request holds until it has its response.
    let memory: BufferCharge
    /// Verifies the chunks of the content; nil unless they are signed.
    let chunkSignatures: ChunkSignatures?

    var bucket: [UInt8] { request.bucket }
    var key: [UInt8] { request.key }

    /// Checks the operation's headers and selects the responder that receives the content.
    func decision(_ operation: S3Operation) throws(S3Error) -> HTTPBodyDecision {
        try StoredHeaders.check(request)
        switch operation {
        case .getObject(let part), .headObject(let part): return onLoop(try objectResponse(part: part))
        case .objectTagging: return onLoop(try objectTagging())
        case .objectACL: return onLoop(try objectACL())
        case .listBuckets: return onLoop(listBuckets())
        case .headBucket: return onLoop(headBucket())
        case .bucketLocation: return onLoop(bucketLocation())
        case .bucketVersioning: return onLoop(bucketVersioning())
        case .bucketACL: return onLoop(Self.accessControl(isPublic: false))
        case .deleteObject: return onQueue(try deleteObject())
        case .copyObject: return onQueue(try copyObject())
        case .copyPart(let id, let number): return onQueue(try copyPart(id, number))
        case .listUploads: return onQueue(try listUploads())
        case .listObjectsV1: return onQueue(try listObjectsV1())
        case .listObjects: return onQueue(try listObjects())
        case .createUpload: return onQueue(try createUpload())
        case .listParts(let id): return onQueue(try listParts(of: id))
        case .abortUpload(let id): return onQueue(try abortUpload(id))
        case .putObject: return .stream(limit: encodedLimit, try UploadResponder(self, try objectTarget()))
        case .uploadPart(let id, let number):
            return .stream(limit: encodedLimit, try UploadResponder(self, try partTarget(id, number)))
        case .deleteObjects:
            return try withDocument(limit: DeleteList.maximumSize, hasChecksum: true) { document throws(S3Error) in
                try deleteObjects(document)
            }
        case .completeUpload(let id):
            return try withDocument(limit: S3Limits.document, hasChecksum: false) { document throws(S3Error) in
                try completeUpload(id, document)
            }
        }
    }

    /// The maximum size of an upload as sent. Chunks enlarge the content, by less than half if they are not tiny.
    private var encodedLimit: Int {
        if case .chunked = request.payload { 2 * S3Limits.upload } else { S3Limits.upload }
    }

    /// Reads an XML document of at most `limit` bytes and compares its digests, then runs `body` on the work queue.
    ///
    /// - Parameter hasChecksum: whether `x-amz-checksum-*` is that of the document.
    private func withDocument(
        limit: Int, hasChecksum: Bool, _ body: @escaping @Sendable ([UInt8]) throws(S3Error) -> HTTPResponse
    ) throws(S3Error) -> HTTPBodyDecision {
        if let length = request.header("content-length").flatMap({ Int(decimal: $0.span) }), length > limit {
            throw S3Error(
                400, "MaxMessageLengthExceeded", "Your request was too big.",
                [("MaxMessageLengthBytes", Array("\(limit)".utf8))])
        }
        let responder = CompleteResponder(self) { received, deferrals in
            guard hold(Self.documentExpansion * received.body.count) else { return frame.response(.slowDown) }
            let document = Array(received.body)
            return respondLater(deferrals.makeDeferral()) { () throws(S3Error) in
                let expectation = try ContentExpectation(request, length: document.count, hasChecksum: hasChecksum)
                var digests = ContentDigests(expectation)
                digests.update(document.span)
                _ = try digests.verified()
                return try body(document)
            }
        }
        return .read(limit: limit, responder)
    }

    /// How much memory a document takes, with what is read from it, in multiples of its size: 10,000 parts take 1.3 MB,
    /// and their document 0.6 MB or more.
    private static let documentExpansion = 3

    /// Charges memory that this request holds besides its head. Returns false if the budget does not allow that.
    func hold(_ bytes: Int) -> Bool { memory.resize(to: request.heldBytes + bytes) }

    /// Carries out the request on the event loop and ignores its content.
    private func onLoop(
        _ body: @autoclosure @escaping @Sendable () throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        .stream(limit: S3Limits.document, CompleteResponder(self) { _, _ in response(body) })
    }

    /// Carries out the request on the work queue, because it may wait for the disk, and ignores its content.
    private func onQueue(
        _ body: @autoclosure @escaping @Sendable () throws(S3Error) -> HTTPResponse
    ) -> HTTPBodyDecision {
        .stream(limit: S3Limits.document, CompleteResponder(self) { respondLater($1.makeDeferral(), body) })
    }

    /// Runs `body` on the work queue and completes the deferral with its response. Returns 503 if the queue is full.
    func respondLater(
        _ deferral: HTTPDeferral, _ body: @escaping @Sendable () throws(S3Error) -> HTTPResponse
    ) -> HTTPResponse? {
        store.work.submit { deferral.complete(with: response(body)) } ? nil : frame.response(.slowDown)
    }

    /// Runs the cleanup after an operation. A failure is only reported, because the client would repeat an operation
    /// that has already succeeded.
    func cleanUp(_ body: @autoclosure () throws(S3Error) -> Void) {
        do throws(S3Error) {
            try body()
        } catch {
            frame.reportFailedCleanup(error)
        }
    }

    private func response(_ body: () throws(S3Error) -> HTTPResponse) -> HTTPResponse {
        do throws(S3Error) {
            return frame.finish(try body())
        } catch {
            return frame.response(error)
        }
    }
}

/// The store's handler on one event loop. It checks a request's head and passes the request to a responder.
struct LocalStorageHandler: HTTPHandler {
    private let store: LocalStore
    private let buffers: BufferBudget
    private var requestIDs: RequestIDSource

    init(_ store: LocalStore, loop: Int, buffers: BufferBudget) {
        (self.store, self.buffers) = (store, buffers)
        // Without random bytes, ids are still unique within the process.
        let random = (try? SecureRandom.bytes(count: 4)) ?? []
        requestIDs = RequestIDSource(start: Hexadecimal.encode(random) + "\(loop)")
    }

    /// Performs all checks that need only the head, so that a client that waits for 100 (Continue) gets a refusal
    /// before it sends the body.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision {
        let frame = frame(for: head)
        do throws(S3Error) {
            try store.checkHost(of: head)
            if head.method == .options {
                return .refuse(frame.finish(try store.crossOrigin.preflight(head.headers)))
            }
            try S3Operation.check(head.method)
            let request = try S3Request(head)
            guard let memory = buffers.charge(request.heldBytes, for: .request) else { throw .slowDown }
            if let form = formDecision(for: request, frame, memory) { return form }
            let signatures: ChunkSignatures?
            do throws(S3Error) {
                signatures = try store.authenticator.check(request, at: store.clock())
            } catch {
                throw store.refusal(of: error, to: request)
            }
            let task = StorageTask(
                store: store, request: request, frame: frame, memory: memory, chunkSignatures: signatures)
            return try task.decision(S3Operation(request))
        } catch {
            return .refuse(frame.response(error))
        }
    }

    /// Returns how the content of an HTML form is received; nil for other requests. Its fields authenticate it.
    private func formDecision(
        for request: S3Request, _ frame: ResponseFrame, _ memory: BufferCharge
    ) -> HTTPBodyDecision? {
        guard request.method == .post, request.key.isEmpty, request.query.isEmpty, !request.isSignedInHeader,
            let parser = FormParser(contentType: request.header("content-type") ?? [])
        else { return nil }
        let task = StorageTask(store: store, request: request, frame: frame, memory: memory, chunkSignatures: nil)
        return .stream(limit: S3Limits.upload + 2 * FormParser.maximumFieldBytes, FormResponder(task, parser))
    }

    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        frame(for: request.head).response(S3Error(failure))
    }

    private mutating func frame(for head: HTTPRequest?) -> ResponseFrame {
        ResponseFrame(
            requestID: String(decoding: requestIDs.next().bytes, as: UTF8.self), crossOrigin: store.crossOrigin,
            origin: head?.headers.first(.origin).map { Array($0) }, method: head?.method,
            path: head.map { Array($0.path) } ?? [], regions: store.authenticator.regions, report: store.report)
    }
}
