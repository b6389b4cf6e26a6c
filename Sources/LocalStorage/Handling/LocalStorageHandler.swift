import Cryptography
import HTTP1
import HTTPServer
import Text

/// The store's handler on one event loop. It checks a request's head and passes the request to a responder.
struct LocalStorageHandler: HTTPHandler {
    private let store: LocalStore
    private var requestIDs: RequestIDSource

    init(_ store: LocalStore, loop: Int) {
        self.store = store
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
            try store.authenticator.check(request, at: store.clock())
            let task = StorageTask(store: store, request: request, frame: frame)
            return try task.decision(S3Operation(request))
        } catch {
            return .refuse(frame.response(error))
        }
    }

    mutating func response(to failure: HTTPFailure, of request: HTTPFailedRequest) -> HTTPResponse {
        frame(for: request.head).response(S3Error(failure))
    }

    private mutating func frame(for head: HTTPRequest?) -> ResponseFrame {
        ResponseFrame(
            requestID: String(decoding: requestIDs.next().bytes, as: UTF8.self), crossOrigin: store.crossOrigin,
            origin: head?.headers.first(.origin).map { Array($0) }, method: head?.method,
            path: head.map { Array($0.path) } ?? [], report: store.report)
    }
}
