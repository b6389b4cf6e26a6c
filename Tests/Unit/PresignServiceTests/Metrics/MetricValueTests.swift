import Foundation
import Testing

@testable import PresignService
@testable import Telemetry

@Suite("Parts of the metrics")
struct MetricValueTests {
    @Test("Every status and every code has a place of its own")
    func places() {
        #expect(StatusPlace.codes.map(StatusPlace.place) == Array(StatusPlace.codes.indices))
        #expect([0, 199, 418, 599].map(StatusPlace.place) == Array(repeating: StatusPlace.codes.count, count: 4))
        #expect(RefusalPlace.codes.map(RefusalPlace.place) == Array(RefusalPlace.codes.indices))
        for code in ["", "x", "validatio", "validations", "Validation", "forbiddeN"] {
            #expect(RefusalPlace.place(of: code) == RefusalPlace.codes.count)
        }
    }

    @Test("Many threads lose no count, beside loops that count at the same time")
    func threads() {
        let metrics = ServiceMetrics()
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            let own = thread < 4 ? metrics.makeShard() : nil
            for index in 0..<10_000 {
                let change = { (shard: MetricShard) in
                    shard.noteRequest(.presign, status: 200, nanoseconds: index)
                    shard.noteRefusal("forbidden")
                    shard.noteWaiting(thread.isMultiple(of: 2) ? 1 : -1)
                    shard.counters(ofStore: "s").note(1)
                }
                if let own { change(own) } else { metrics.count(change) }
            }
        }
        let total = metrics.total
        #expect(total.requests[MetricShard.place(.presign, 0)] == 80_000 && total.refusals.reduce(0, +) == 80_000)
        #expect(total.durations[0].counts[0] == 80_000 && total.durations[0].nanoseconds == 8 * 49_995_000)
        #expect(total.stores.count == 1 && total.stores[0].operations == [0, 80_000, 0, 0, 0, 0, 0, 0, 0])
        #expect(total.waiting == 0)
    }
}
