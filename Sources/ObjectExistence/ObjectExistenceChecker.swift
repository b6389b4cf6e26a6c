package import HTTPClient
package import System

/// Sends HEAD requests to a storage through libcurl, on one thread that starts with the first check.
///
/// Connections are reused and redirects are not followed. Only http and https are allowed. Proxy variables in the
/// environment and `.netrc` are ignored.
package final class ObjectExistenceChecker: Sendable {
    private let configuration: ExistenceConfiguration
    private let queue: CheckQueue
    private let thread: CheckingThread

    /// - Parameter resolver: looks up the storage's host name, or the proxy's if there is one.
    package init(_ configuration: ExistenceConfiguration, resolver: HostResolver = .system) {
        self.configuration = configuration
        queue = CheckQueue(configuration)
        thread = CheckingThread(configuration, queue: queue, resolver: resolver)
    }

    deinit { close() }

    /// Sends a HEAD request.
    ///
    /// - Parameters:
    ///   - url: an absolute http or https URL, sent unchanged.
    ///   - caller: the caller that asks for it. Callers take turns.
    ///   - completion: called once, on the checker's thread, or before this returns if the check is rejected. Must not
    ///     block.
    package func head(url: String, of caller: LimitKey, completion: @escaping @Sendable (ExistenceOutcome) -> Void) {
        guard let server = FetchURL(url) else {
            return completion(.failed("the URL is not an absolute http or https URL"))
        }
        let check = PendingCheck(
            url: url, caller: caller, peer: configuration.proxy ?? server, deadline: .now + configuration.timeout,
            completion: completion)
        if let outcome = queue.add(check) { return completion(outcome) }
        thread.wake()
    }

    /// Rejects further checks, fails those in progress, and waits until the thread has ended.
    ///
    /// Not to be called from a completion, which runs on that thread.
    package func shutdown() {
        close()
        thread.wait()
    }

    private func close() {
        for check in queue.close() { check.completion(.failed("the service is stopping")) }
        thread.end()
    }
}

/// The result of a check.
package enum ExistenceOutcome: Sendable, Equatable {
    /// The storage's status code, 100...999, the object's length in bytes, nil if the response does not state it, and
    /// what it says about the object.
    case status(Int, length: Int64? = nil, headers: ObjectHeaders = ObjectHeaders())
    /// The total timeout passed, in the queue or in flight.
    case timedOut
    /// The check failed. The reason never contains the URL, which has a signature.
    case failed(String)
    /// Too many checks are waiting.
    case overloaded
}

/// What a storage says about an object in its response to HEAD; nil for headers that the response lacks.
package struct ObjectHeaders: Sendable, Equatable {
    /// The media type.
    package var contentType: [UInt8]?
    /// The entity tag, with its quotation marks.
    package var entityTag: [UInt8]?
    /// The time of the last change, as an HTTP date.
    package var lastModified: [UInt8]?

    /// No headers.
    package init() {}
}

/// The section `existence`: limits of the HEAD requests for `validateObjectExistence`.
package struct ExistenceConfiguration: Sendable, Equatable {
    /// The most checks in flight.
    package var maximumInFlight = 64
    /// The most checks in the queue.
    package var maximumQueued = 256
    /// Timeout for connecting.
    package var connectTimeout: Duration = .seconds(2)
    /// Timeout for a whole check, queueing included.
    package var timeout: Duration = .seconds(5)
    /// The HTTP proxy; nil means none.
    package var proxy: FetchURL?
    /// A PEM file of certificate authorities; nil means the system's.
    package var caFile: String?

    /// The defaults.
    package init() {}

    /// Returns the proxy with a URL such as `http://proxy:3128`; nil for any other text.
    package static func proxy(_ text: String) -> FetchURL? {
        // The port is required, because libcurl's default of 1080 is unexpected.
        FetchURL(text).flatMap { $0.target == "/" && $0.authority.hasSuffix(":\($0.port)") ? $0 : nil }
    }
}
