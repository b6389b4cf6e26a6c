import Presigning
import Synchronization
import Telemetry

/// A log sink that collects its lines.
final class LineCollector: Sendable {
    private final class Text: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    let sink: LogSink
    private let text: Text

    /// - Parameter time: returns the time of the lines.
    init(time: @escaping @Sendable () -> SigningTime) {
        let text = Text()
        self.text = text
        sink = LogSink(label: "test", capacity: 1 << 26, time: time) { batch in
            text.bytes.withLock { $0 += batch }
            return 0
        }
    }

    /// The lines so far.
    var lines: [String] {
        sink.flush()
        return text.bytes.withLock { $0 }.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
