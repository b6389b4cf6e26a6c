package import HTTPClient

/// Sends HEAD requests to a storage through libcurl, on one thread that starts with the first check.
///
/// Connections are used again. Redirects are not followed, only http and https are spoken, and neither proxies nor
/// passwords are taken from the environment.
package final class ObjectExistenceChecker: Sendable {
    private let configuration: ObjectExistenceConfiguration
    private let queue: CheckQueue
    private let thread: CheckingThread

    /// A checker with these bounds.
    ///
    /// - Parameter resolver: looks up the storage's name, or the proxy's if there is one.
    package init(_ configuration: ObjectExistenceConfiguration, resolver: HostResolver = .system) {
        self.configuration = configuration
        queue = CheckQueue(configuration)
        thread = CheckingThread(configuration, queue: queue, resolver: resolver)
    }

    deinit { close() }

    /// Sends a HEAD and tells what came of it.
    ///
    /// - Parameters:
    ///   - url: an absolute http or https URL, sent as it stands.
    ///   - headers: headers to send with it.
    ///   - completion: called once: on the checker's thread, or at once when the check is not taken. Must not block.
    package func head(
        url: String, headers: [(name: String, value: String)] = [],
        completion: @escaping @Sendable (ObjectExistenceOutcome) -> Void
    ) {
        guard let server = FetchURL(url) else {
            return completion(.failed("the URL is not an absolute http or https URL"))
        }
        guard headers.allSatisfy({ ($0.name + $0.value).utf8.allSatisfy { 0x20...0x7E ~= $0 } }) else {
            return completion(.failed("a header holds a character that HTTP does not allow"))
        }
        let check = PendingCheck(
            url: url, peer: configuration.proxy ?? server, headers: headers,
            deadline: .now + configuration.totalTimeout, completion: completion)
        if let outcome = queue.add(check) { return completion(outcome) }
        thread.wake()
    }

    /// Takes no more checks, gives up those on the wire, and returns when the thread, if there was one, has ended.
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
