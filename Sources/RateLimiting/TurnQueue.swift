/// Elements that belong to keys. The keys take turns; the elements of one key leave in the order in which they came.
package struct TurnQueue<Key: Hashable, Element> {
    /// The keys that have elements, in the order of their turns.
    private var keys: [Key] = []
    private var elements: [Key: [Element]] = [:]

    /// Creates an empty queue.
    package init() {}

    /// Whether it has no elements.
    package var isEmpty: Bool { keys.isEmpty }

    /// The first element of each key.
    package var first: [Element] { keys.compactMap { elements[$0]?.first } }

    /// Adds an element after the others of its key.
    package mutating func append(_ element: Element, of key: Key) {
        insert(element, of: key, at: elements[key]?.count ?? 0)
    }

    /// Returns an element whose turn is over, to be the next of its key.
    package mutating func putBack(_ element: Element, of key: Key) {
        insert(element, of: key, at: 0)
    }

    /// Removes the first element, in the order of the keys' turns, for which the condition holds. The other keys then
    /// have their turns before the element's key.
    package mutating func next(
        where condition: (Key, Element) -> Bool = { _, _ in true }
    ) -> (key: Key, element: Element)? {
        for (turn, key) in keys.enumerated() {
            guard let index = elements[key]?.firstIndex(where: { condition(key, $0) }),
                let element = elements[key]?.remove(at: index)
            else { continue }
            keys.remove(at: turn)
            if elements[key]?.isEmpty == true { elements[key] = nil } else { keys.append(key) }
            return (key, element)
        }
        return nil
    }

    /// Removes and returns the elements for which the condition holds, without a change of turns.
    package mutating func removeAll(where condition: (Element) -> Bool) -> [(key: Key, element: Element)] {
        var removed: [(key: Key, element: Element)] = []
        for key in keys {
            for element in elements[key] ?? [] where condition(element) { removed.append((key, element)) }
            elements[key]?.removeAll(where: condition)
            if elements[key]?.isEmpty == true { elements[key] = nil }
        }
        keys.removeAll { elements[$0] == nil }
        return removed
    }

    private mutating func insert(_ element: Element, of key: Key, at index: Int) {
        if elements[key] == nil { keys.append(key) }
        elements[key, default: []].insert(element, at: index)
    }
}
