import Dispatch
import HTTPServing
import Synchronization

/// Writes the metrics on a queue of its own, so that no event loop waits for it. Whoever asks while they are being written
/// shares the next edition with all who ask by then: many who ask cost little more than one.
final class MetricsReporter: Sendable {
    private let queue = DispatchQueue(label: "presign.metrics")
    private let takers = Mutex<[@Sendable ([UInt8]) -> Void]>([])

    /// Gives the metrics of a service as they are at some time from now on; on another thread, soon.
    func report(of service: Service, to taker: @escaping @Sendable ([UInt8]) -> Void) {
        let isFirst = takers.withLock { takers in
            takers.append(taker)
            return takers.count == 1
        }
        guard isFirst else { return }
        queue.async {
            var waiting: [@Sendable ([UInt8]) -> Void] = []
            // First: whoever asks from here on is told of what happened before that.
            self.takers.withLock { swap(&waiting, &$0) }
            let text = service.metricsText()
            for taker in waiting { taker(text) }
        }
    }
}

/// The answer to a request for the metrics.
struct MetricsAnswer: PendingAnswer {
    let service: Service

    func resolve(
        with existence: ExistenceCheck, for request: PendingRequest,
        completion: @escaping @Sendable (consuming LateAnswer) -> Void
    ) {
        service.reporter.report(of: service) { completion(LateAnswer(response: Self.response($0))) }
    }

    /// The version is that of the text format (Prometheus, "Exposition formats").
    static func response(_ text: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: 200, fields: fields, body: text)
    }

    private static let fields = HTTPFields([("content-type", "text/plain; version=0.0.4; charset=utf-8")])
}
