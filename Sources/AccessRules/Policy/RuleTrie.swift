import Text

/// A prefix tree of the rules of all stores. It finds the most specific matching rule without trying each rule.
///
/// Each node represents a sequence of segments, so a search visits a node at most once. Children are tried in the order
/// literal, placeholder, `*`, `**`, so the first match is the most specific one.
package struct RuleTrie: Sendable {
    struct Literal: Sendable {
        let hash: UInt64
        let bytes: [UInt8]
        let node: Int
    }

    struct Node: Sendable {
        /// Sorted by hash.
        var literals: [Literal] = []
        /// One child for all kinds of placeholders, because they match the same keys.
        var placeholder: Int?
        var any: Int?
        /// The rule that ends here.
        var rule: Int?
        /// The rule that ends here with `**`.
        var rest: Int?
        /// The literals that follow here without an alternative, if there are any; see `linkRuns`.
        var run: Run?

        /// Whether the next segment selects a child.
        var hasChildren: Bool { !literals.isEmpty || placeholder != nil || any != nil }
    }

    /// Nodes that have one child, a literal, and no rule.
    struct Run: Sendable {
        /// The node of the last literal.
        let end: Int
        /// The number of literals.
        let length: Int
    }

    /// The root node of each store, in the order of the stores, then all other nodes.
    private(set) var nodes: [Node]

    /// An empty tree.
    ///
    /// - Parameter stores: The number of stores.
    init(stores: Int) { nodes = Array(repeating: Node(), count: stores) }

    /// Adds a rule.
    ///
    /// - Parameters:
    ///   - rule: The index of the rule.
    ///   - segments: The segments of its template.
    ///   - store: The index of its store.
    /// - Returns: The index of an existing rule that matches the same keys. In that case the rule is not added.
    mutating func insert(_ rule: Int, at segments: [PathTemplate.Segment], in store: Int) -> Int? {
        var node = store
        for segment in segments {
            switch segment {
            case .literal(let bytes): node = child(of: node, named: bytes)
            case .placeholder: node = child(of: node, \.placeholder)
            case .any: node = child(of: node, \.any)
            case .rest:
                if let other = nodes[node].rest { return other }
                nodes[node].rest = rule
                return nil
            }
        }
        if let other = nodes[node].rule { return other }
        nodes[node].rule = rule
        return nil
    }

    /// Records the runs of literals after the last `insert`. A search for deciders skips them: paths have up to 512
    /// segments.
    mutating func linkRuns() {
        // A child has a higher index than its parent.
        for index in nodes.indices.reversed() {
            let node = nodes[index]
            guard node.literals.count == 1, node.placeholder == nil, node.any == nil, node.rest == nil else { continue }
            let child = node.literals[0].node
            if let next = nodes[child].run, nodes[child].rule == nil {
                nodes[index].run = Run(end: next.end, length: next.length + 1)
            } else {
                nodes[index].run = Run(end: child, length: 1)
            }
        }
    }

    /// The index of the most specific rule that matches a validated key of a store.
    package func rule(for key: [UInt8], in store: Int) -> Int? {
        search(store, from: 0, in: key.span)
    }

    /// The index of the rule that was added with these segments, or with segments that match the same keys.
    package func rule(at segments: [PathTemplate.Segment], in store: Int) -> Int? {
        var node = store
        for segment in segments {
            if segment == .rest { return nodes[node].rest }
            guard let next = child(of: node, at: segment) else { return nil }
            node = next
        }
        return nodes[node].rule
    }

    /// The first literal among these segments that has a placeholder as its sibling in the tree.
    func literalBesidePlaceholder(at segments: [PathTemplate.Segment], in store: Int) -> [UInt8]? {
        var node = store
        for segment in segments {
            if case .literal(let bytes) = segment, nodes[node].placeholder != nil { return bytes }
            guard let next = child(of: node, at: segment) else { return nil }
            node = next
        }
        return nil
    }

    private func child(of node: Int, at segment: PathTemplate.Segment) -> Int? {
        switch segment {
        case .literal(let bytes): literal(of: node, named: bytes.span)
        case .placeholder: nodes[node].placeholder
        case .any: nodes[node].any
        case .rest: nil
        }
    }

    private func search(_ node: Int, from start: Int, in key: Span<UInt8>) -> Int? {
        guard nodes[node].hasChildren else { return nodes[node].rest }
        let end = key.position(of: UInt8(ascii: "/"), from: start)
        if let child = literal(of: node, named: key.extracting(start..<end)), let rule = match(child, end, key) {
            return rule
        }
        if let child = nodes[node].placeholder, let rule = match(child, end, key) { return rule }
        if let child = nodes[node].any, let rule = match(child, end, key) { return rule }
        return nodes[node].rest
    }

    private func match(_ node: Int, _ end: Int, _ key: Span<UInt8>) -> Int? {
        end == key.count ? nodes[node].rule : search(node, from: end + 1, in: key)
    }

    func literal(of node: Int, named name: Span<UInt8>) -> Int? {
        if nodes[node].literals.isEmpty { return nil }
        let hash = Self.hash(name)
        var index = insertionIndex(of: hash, in: node)
        while index < nodes[node].literals.count, nodes[node].literals[index].hash == hash {
            if name.equals(nodes[node].literals[index].bytes) { return nodes[node].literals[index].node }
            index += 1
        }
        return nil
    }

    private mutating func child(of node: Int, named bytes: [UInt8]) -> Int {
        if let child = literal(of: node, named: bytes.span) { return child }
        nodes.append(Node())
        let hash = Self.hash(bytes.span)
        let literal = Literal(hash: hash, bytes: bytes, node: nodes.count - 1)
        nodes[node].literals.insert(literal, at: insertionIndex(of: hash, in: node))
        return literal.node
    }

    private mutating func child(of node: Int, _ branch: WritableKeyPath<Node, Int?>) -> Int {
        if let child = nodes[node][keyPath: branch] { return child }
        nodes.append(Node())
        nodes[node][keyPath: branch] = nodes.count - 1
        return nodes.count - 1
    }

    /// The index of the first literal whose hash is at least `hash`.
    private func insertionIndex(of hash: UInt64, in node: Int) -> Int {
        var low = 0
        var high = nodes[node].literals.count
        while low < high {
            let middle = (low + high) / 2
            if nodes[node].literals[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// FNV-1a. Only literals of the configuration are stored, so a client cannot cause collisions.
    private static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in bytes.indices { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
