import Dispatch
import Synchronization

/// Writes the metrics on a queue of its own, so that no event loop waits for it. Whoever asks while they are being written
/// shares the next edition with all who ask by then: many who ask cost little more than one.
final class MetricsReporter: Sendable {
    private let queue = DispatchQueue(label: "presign.metrics")
    private let takers = Mutex<[@Sendable ([UInt8]) -> Void]>([])

    /// Hands the text to `taker` on another thread. It is written after this call, once for all that wait by then.
    func report(
        _ metricsText: @escaping @Sendable () -> [UInt8], to taker: @escaping @Sendable ([UInt8]) -> Void
    ) {
        let isFirst = takers.withLock { takers in
            takers.append(taker)
            return takers.count == 1
        }
        guard isFirst else { return }
        queue.async {
            var waiting: [@Sendable ([UInt8]) -> Void] = []
            // First: whoever asks from here on is told of what happened before that.
            self.takers.withLock { swap(&waiting, &$0) }
            let text = metricsText()
            for taker in waiting { taker(text) }
        }
    }
}
