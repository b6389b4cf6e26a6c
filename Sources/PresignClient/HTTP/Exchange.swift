import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request in progress, and what has arrived of its response.
struct Exchange: Sendable {
    /// The largest response that is held in memory: a page of 1,000 names, an error, the parts of an upload.
    private static let maxBody = 16 << 20

    let onSent: @Sendable (Int64) -> Void
    private let receiver: (any HTTPReceiver)?
    private let continuation: CheckedContinuation<HTTPResponse, any Error>
    private var head: HTTPHead?
    private var body = Data()
    private var refusal: (any Error)?

    init(
        onSent: @escaping @Sendable (Int64) -> Void, receiver: (any HTTPReceiver)?,
        continuation: CheckedContinuation<HTTPResponse, any Error>
    ) {
        self.onSent = onSent
        self.receiver = receiver
        self.continuation = continuation
    }

    /// Returns whether the body is wanted.
    mutating func begin(_ head: HTTPHead) -> Bool {
        self.head = head
        refusal = failure { if head.isSuccess { try receiver?.begin(head) } }
        return refusal == nil
    }

    /// Returns whether more is wanted.
    mutating func receive(_ piece: Data) -> Bool {
        if let receiver, head?.isSuccess == true {
            refusal = failure { try receiver.receive(piece) }
        } else if body.count + piece.count <= Self.maxBody {
            body.append(piece)
        } else {
            refusal = URLError(.dataLengthExceedsMaximum)
        }
        return refusal == nil
    }

    private func failure(of step: () throws -> Void) -> (any Error)? {
        do {
            try step()
            return nil
        } catch {
            return error
        }
    }

    /// Continues the sender. A refusal is the reason of the error with which the session ends the task.
    func end(with error: (any Error)?) {
        if let refusal {
            continuation.resume(throwing: refusal)
        } else if let error {
            let isCancellation = (error as? URLError)?.code == .cancelled
            continuation.resume(throwing: isCancellation ? CancellationError() : error)
        } else if let head {
            continuation.resume(returning: HTTPResponse(head: head, body: body))
        } else {
            continuation.resume(throwing: URLError(.badServerResponse))
        }
    }
}

/// The delegate of a session: leads each event to the exchange of its task. The session calls it from one serial queue.
final class Exchanges: NSObject, URLSessionDataDelegate {
    private let current = Locked<[Int: Exchange]>([:])

    /// Registers the exchange and starts the task.
    func start(_ task: URLSessionTask, _ exchange: Exchange) {
        current.with { $0[task.taskIdentifier] = exchange }
        task.resume()
    }

    /// Applies a step to the exchange outside the lock, because receivers write files.
    private func update(_ task: URLSessionTask, _ step: (inout Exchange) -> Bool) -> Bool {
        guard var exchange = current.with({ $0.removeValue(forKey: task.taskIdentifier) }) else { return false }
        let isWanted = step(&exchange)
        current.with { [exchange] in $0[task.taskIdentifier] = exchange }
        return isWanted
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        current.with { $0[task.taskIdentifier] }?.onSent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        let isWanted = update(dataTask) { $0.begin(HTTPHead(response)) }
        completionHandler(isWanted ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isWanted = update(dataTask) { exchange in releasing { exchange.receive(data) } }
        if !isWanted { dataTask.cancel() }
    }

    /// A redirect would send a signed request to a server that it was not signed for.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        current.with { $0.removeValue(forKey: task.taskIdentifier) }?.end(with: error)
    }
}

extension HTTPHead {
    init(_ response: HTTPURLResponse) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        self.init(status: response.statusCode, headers: headers)
    }
}
