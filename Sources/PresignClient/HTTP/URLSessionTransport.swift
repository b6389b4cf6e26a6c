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
        #if canImport(FoundationNetworking)
            let queue: OperationQueue? = DelegateQueue()
        #else
            let queue: OperationQueue? = nil
        #endif
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: queue)
    }

    /// The session retains its delegate until then.
    deinit {
        session.finishTasksAndInvalidate()
    }

    func send(
        _ request: HTTPRequest, onSent: @escaping @Sendable (Int64) -> Void, to receiver: (any HTTPReceiver)?
    ) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let task = try sessionTask(for: request)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.start(task, Exchange(onSent: onSent, receiver: receiver, continuation: continuation))
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func sessionTask(for request: HTTPRequest) throws -> URLSessionTask {
        var sent = URLRequest(url: request.url)
        sent.httpMethod = request.method
        sent.timeoutInterval = request.timeout
        for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
        switch request.body {
        case .data(let data): return session.uploadTask(with: sent, from: data)
        case .file(let file):
            if let data = try Self.loaded(file) { return session.uploadTask(with: sent, from: data) }
            return session.uploadTask(with: sent, fromFile: file)
        case nil: return session.dataTask(with: sent)
        }
    }

    /// Returns the content of a file that is not to be sent as a file; nil on Apple systems.
    ///
    /// FoundationNetworking of Swift 6.3 can end the process if a connection breaks while it reads a file to send
    /// (`EasyHandle.unpauseSend`). Files up to the size of usual parts are loaded instead.
    private static func loaded(_ file: URL) throws -> Data? {
        #if canImport(FoundationNetworking)
            return try StorageFailure.reading(file) {
                let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
                // URLSession copies it once more.
                return size <= 64 << 20 ? try Data(contentsOf: file, options: .alwaysMapped) : nil
            }
        #else
            return nil
        #endif
    }
}

#if canImport(FoundationNetworking)
    import Foundation

    /// The queue of a session's delegate on Linux. FoundationNetworking does not wait for the delegate: what the disk has
    /// not taken of a download would be in memory. This queue lets it wait.
    ///
    /// Unchecked, but safe: each access to `waiting` holds the lock of `condition`.
    final class DelegateQueue: OperationQueue, @unchecked Sendable {
        /// The maximum number of events that wait: pieces of at most 16 KiB.
        private static let maxWaiting = 256

        private let condition = NSCondition()
        private var waiting = 0

        override init() {
            super.init()
            maxConcurrentOperationCount = 1
        }

        override func addOperation(_ operation: Operation) {
            condition.lock()
            // The delegate itself must not wait for its own queue.
            while waiting >= Self.maxWaiting, OperationQueue.current !== self { condition.wait() }
            waiting += 1
            condition.unlock()
            operation.completionBlock = { [self] in
                condition.lock()
                waiting -= 1
                condition.signal()
                condition.unlock()
            }
            super.addOperation(operation)
        }
    }
#endif
