import Cryptography
import HTTP1
import HTTPServer
import Text

/// One loop's side of the store: judges a request by its head, and hands it to the receiver that carries it out.
struct LocalStorageHandler: HTTPHandler {
    private let store: LocalStore
    private var requestIDs: RequestIDSource

    init(_ store: LocalStore, loop: Int) {
        self.store = store
        // Without random bytes ids still differ within the process.
        let random = (try? SecureRandom.bytes(count: 4)) ?? []
        requestIDs = RequestIDSource(start: Hexadecimal.encode(random) + "\(loop)")
    }

    /// Decides everything the head decides, so that a client that asks before it sends gets the refusal at once.
    mutating func body(for head: HTTPRequest) -> HTTPBodyDecision {
        let frame = frame(for: head)
        do throws(S3Error) {
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
