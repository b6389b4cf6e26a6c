import Dispatch
import Synchronization
import Testing

@testable import LocalStorage

@Suite("Work queue")
struct WorkQueueTests {
    @Test("Limits running and waiting work, rejects the rest, and accepts more when work is done")
    func bounds() {
        let work = WorkQueue(width: 2, limit: 5)
        let (gate, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let done = Mutex<[Int]>([])
        for round in 0..<2 {
            let taken = (0..<8).map { index in
                work.submit {
                    gate.wait()
                    done.withLock { $0.append(index) }
                    over.signal()
                }
            }
            #expect(taken == [true, true, true, true, true, false, false, false], "round \(round)")
            #expect(work.load == (2, 3))
            for _ in 0..<5 { gate.signal() }
            for _ in 0..<5 { #expect(over.wait(timeout: .now() + 20) == .success) }
            // The last work item has signalled and is about to return.
            work.queue.sync(flags: .barrier) {}
            #expect(work.load == (0, 0))
        }
        #expect(done.withLock { $0.sorted() } == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }
}
