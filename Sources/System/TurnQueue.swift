/// Elements that belong to keys. The keys take turns; the elements of one key leave in the order in which they came.
package struct TurnQueue<Key: Hashable, Element> {
    /// The keys that have elements, in the order of their turns.
    private var keys: [Key] = []
    private var elements: [Key: [Element]] = [:]

    /// No key has an element.
    package init() {}

    package var isEmpty: Bool { keys.isEmpty }

    /// Adds an element as the last of its key.
    package mutating func append(_ element: Element, of key: Key) {
        insert(element, of: key, at: elements[key]?.count ?? 0)
    }

    /// Returns an element whose turn is over, to be the next of its key.
    package mutating func putBack(_ element: Element, of key: Key) {
        insert(element, of: key, at: 0)
    }

    /// Removes the first element of the key whose turn it is, after which the other keys have theirs.
    package mutating func next() -> (key: Key, element: Element)? {
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
