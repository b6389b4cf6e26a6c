import Testing

@testable import PresignService

@Suite("Turns of callers")
struct TurnQueueTests {
    private static func queue(_ elements: [(key: String, element: Int)]) -> TurnQueue<String, Int> {
        var queue = TurnQueue<String, Int>()
        for (key, element) in elements { queue.append(element, of: key) }
        return queue
    }

    private static func drained(_ queue: TurnQueue<String, Int>) -> [Int] {
        var (queue, elements) = (queue, [Int]())
        while let next = queue.next() { elements.append(next.element) }
        return elements
    }

    @Test(
        "Keys take turns; the elements of one key keep their order",
        arguments: [
            ([], []), ([("a", 1)], [1]), ([("a", 1), ("a", 2), ("a", 3)], [1, 2, 3]),
            ([("a", 1), ("a", 2), ("a", 3), ("b", 4)], [1, 4, 2, 3]),
            ([("a", 1), ("a", 2), ("b", 3), ("c", 4), ("b", 5)], [1, 3, 4, 2, 5]),
        ] as [([(key: String, element: Int)], [Int])])
    func order(elements: [(key: String, element: Int)], expected: [Int]) {
        let queue = Self.queue(elements)
        #expect(queue.isEmpty == elements.isEmpty)
        #expect(Self.drained(queue) == expected)
    }

    @Test("An unfinished element is the next of its key, after a turn of each other key")
    func putBack() {
        var queue = Self.queue([("a", 1), ("a", 2), ("b", 3), ("c", 4)])
        queue.next().map { queue.putBack($0.element, of: $0.key) }
        #expect(Self.drained(queue) == [3, 4, 1, 2])
    }

    @Test("A key whose only element is unfinished waits for the others")
    func single() {
        var queue = Self.queue([("a", 1), ("b", 2)])
        let first = queue.next()
        queue.append(3, of: "c")
        first.map { queue.putBack($0.element, of: $0.key) }
        #expect(Self.drained(queue) == [2, 3, 1])
    }
}
