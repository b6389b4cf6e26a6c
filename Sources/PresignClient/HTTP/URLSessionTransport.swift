import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with a `URLSession` of its own: without cache, cookies and redirects.
final class URLSessionTransport: HTTPTransport {
    private let session: URLSession
    private let exchanges = Exchanges()

    /// - Parameter connections: The maximum number of connections to one host.
    init(connections: Int) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    /// The session retains its delegate until then.
    deinit {
        session.finishTasksAndInvalidate()
    }

    func send(
        _ request: HTTPRequest, onSent: @escaping @Sendable (Int64) -> Void, to receiver: (any HTTPReceiver)?
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let task = sessionTask(for: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.start(task, Exchange(onSent: onSent, receiver: receiver, continuation: continuation))
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func sessionTask(for request: HTTPRequest) -> URLSessionTask {
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        sent.timeoutInterval = request.timeout
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        return switch request.body {
        case .data(let data): session.uploadTask(with: sent, from: data)
        case .file(let file): session.uploadTask(with: sent, fromFile: file)
        case nil: session.dataTask(with: sent)
        }
    }
}
