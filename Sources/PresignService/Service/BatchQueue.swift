import Dispatch
import Requests
import Synchronization
import System

/// Work that can take several turns of the batch queue.
protocol BatchWork: Sendable {
    /// Works until the deadline.
    ///
    /// - Returns: false if work is left.
    mutating func run(until deadline: MonotonicTime) -> Bool
}

/// The batches to decide, on one thread, so that they never take more than one core from the event loops.
///
/// Callers take turns. A turn lasts about a millisecond, so a small batch waits for one turn of each other caller and
/// never for a whole large batch.
final class BatchQueue: Sendable {
    /// Runs one block per turn.
    let queue = DispatchQueue(label: "presign.batches")
    private let waiting = Mutex(TurnQueue<LimitKey, any BatchWork>())

    /// Runs the work of a caller when its turns come.
    func add(_ work: some BatchWork, of caller: LimitKey) {
        waiting.withLock { $0.append(work, of: caller) }
        queue.async { self.takeTurn() }
    }

    /// Whether no work waits. What a turn has taken does not wait.
    var isEmpty: Bool { waiting.withLock { $0.isEmpty } }

    private func takeTurn() {
        guard case (let key, var work)? = waiting.withLock({ $0.next() }) else { return }
        if work.run(until: .now() + Self.turn) { return }
        waiting.withLock { [work] in $0.putBack(work, of: key) }
        queue.async { self.takeTurn() }
    }

    private static let turn = TimeSpan(.milliseconds(1))
}

/// Elements that belong to keys. The keys take turns; the elements of one key leave in the order in which they came.
struct TurnQueue<Key: Hashable, Element> {
    /// The keys that have elements, in the order of their turns.
    private var keys: [Key] = []
    private var elements: [Key: [Element]] = [:]

    var isEmpty: Bool { keys.isEmpty }

    mutating func append(_ element: Element, of key: Key) {
        insert(element, of: key, at: elements[key]?.count ?? 0)
    }

    /// Returns an element whose turn is over, to be the next of its key.
    mutating func putBack(_ element: Element, of key: Key) {
        insert(element, of: key, at: 0)
    }

    /// Removes the first element of the key whose turn it is, after which the other keys have theirs.
    mutating func next() -> (key: Key, element: Element)? {
        guard !keys.isEmpty else { return nil }
        let key = keys.removeFirst()
        guard let element = elements[key]?.removeFirst() else { return nil }
        if elements[key]?.isEmpty == true { elements[key] = nil } else { keys.append(key) }
        return (key, element)
    }

    private mutating func insert(_ element: Element, of key: Key, at index: Int) {
        if elements[key] == nil { keys.append(key) }
        elements[key, default: []].insert(element, at: index)
    }
}
