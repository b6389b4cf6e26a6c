import Dispatch
import Synchronization

/// Writes the metrics text on its own queue, off the event loops. Concurrent requests share one text, so many scrapers
/// cost little more than one.
final class MetricsReporter: Sendable {
    private let queue = DispatchQueue(label: "presign.metrics")
    private let receivers = Mutex<[@Sendable ([UInt8]) -> Void]>([])

    /// Passes a text written after this call to `receiver`, on another thread.
    func report(
        _ metricsText: @escaping @Sendable () -> [UInt8], to receiver: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let isFirst = receivers.withLock { receivers in
            receivers.append(receiver)
            return receivers.count == 1
        }
        guard isFirst else { return }
        queue.async {
            var waiting: [@Sendable ([UInt8]) -> Void] = []
            // Before writing: a request that arrives later must get a text that includes everything up to then.
            self.receivers.withLock { swap(&waiting, &$0) }
            let text = metricsText()
            for receiver in waiting { receiver(text) }
        }
    }
}
