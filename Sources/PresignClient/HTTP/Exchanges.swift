import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

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
