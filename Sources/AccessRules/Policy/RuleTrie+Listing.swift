extension RuleTrie {
    /// A rule that decides keys below a prefix.
    package struct Decider: Sendable {
        /// The index of the rule; nil if no rule matches these keys.
        package let rule: Int?
        /// The number of segments after the prefix of a key that it decides, whose other segments are free.
        let length: Int
    }

    /// Returns every rule that decides a key below a prefix, and one element without a rule if none decides some of
    /// these keys. The first elements decide keys of free segments only; the others follow in the order of the file.
    ///
    /// Follows a few keys that stand for all below the prefix: the literals of one rule, and a free segment, which equals
    /// no literal, where it has a placeholder or wildcard. `ProofTests` says why they suffice.
    ///
    /// - Parameter prefix: Empty, or a valid path and a slash.
    package func deciders(below prefix: [UInt8], in store: Int) -> [Decider] {
        var start = start(in: store)
        for segment in prefix.split(separator: UInt8(ascii: "/")) {
            start = advanced(start, by: Array(segment).span)
        }
        var search = Search(trie: self)
        search.followFreeSegments(from: start)
        let general = search.found.count
        search.follow(start.nodes, at: start, length: 1)
        search.found[general...].sort { ($0.rule ?? 0) < ($1.rule ?? 0) }
        return search.found
    }

    /// The state of a search after some segments of a key.
    package struct Position: Hashable, Sendable {
        /// The nodes whose paths match, the most specific first.
        fileprivate var nodes: [Int]
        /// The rule with `**` that decides what no node decides.
        fileprivate var rest: Int?

        /// The position with the number of that rule instead of its index.
        package func replacingRest(by numbers: [Int]) -> Position {
            Position(nodes: nodes, rest: rest.map { numbers[$0] })
        }
    }

    /// The position before the first segment of a key; without rules for nil.
    package func start(in store: Int?) -> Position { Position(nodes: store.map { [$0] } ?? [], rest: nil) }

    /// The index of the rule that decides the keys that end at the position.
    package func rule(at position: Position) -> Int? {
        position.nodes.lazy.compactMap { nodes[$0].rule }.first ?? position.rest
    }

    /// The literals with which a rule can go on at the position.
    package func literals(at position: Position) -> [[UInt8]] {
        position.nodes.flatMap { nodes[$0].literals.map(\.bytes) }
    }

    /// Whether a rule has a placeholder at the position.
    package func capturesNext(at position: Position) -> Bool {
        position.nodes.contains { nodes[$0].placeholder != nil }
    }

    /// Returns the position after one more segment; nil stands for a free segment.
    package func advanced(_ position: Position, by segment: Span<UInt8>?) -> Position {
        var next = Position(nodes: [], rest: position.rest)
        for node in position.nodes {
            if let segment, let child = literal(of: node, named: segment) { next.nodes.append(child) }
            appendWildcards(of: node, to: &next.nodes)
            if let rest = nodes[node].rest {
                next.rest = rest
                break
            }
        }
        return next
    }

    private func appendWildcards(of node: Int, to children: inout [Int]) {
        if let child = nodes[node].placeholder { children.append(child) }
        if let child = nodes[node].any { children.append(child) }
    }

    private struct Search {
        let trie: RuleTrie
        var found: [Decider] = []
        private var isFound: Set<Int?> = []

        init(trie: RuleTrie) { self.trie = trie }

        mutating func followFreeSegments(from start: Position) {
            var position = start
            var length = 0
            repeat {
                position = trie.advanced(position, by: nil)
                length += 1
                note(position, length)
            } while !position.nodes.isEmpty
        }

        /// Follows a free segment, and the literals of these nodes of the position, whose paths consist of the literals
        /// of one rule.
        mutating func follow(_ own: [Int], at position: Position, length: Int) {
            if position.nodes.isEmpty { return }
            if own == position.nodes, own.count == 1, let run = trie.nodes[own[0]].run {
                // The keys that leave the run, and those that end in it, have the same rule.
                note(Position(nodes: [], rest: position.rest), length)
                let end = Position(nodes: [run.end], rest: position.rest)
                note(end, length + run.length - 1)
                return follow(end.nodes, at: end, length: length + run.length)
            }
            let free = trie.advanced(position, by: nil)
            note(free, length)
            var wildcards: [Int] = []
            for node in own { trie.appendWildcards(of: node, to: &wildcards) }
            follow(wildcards, at: free, length: length + 1)
            for node in own {
                for literal in trie.nodes[node].literals {
                    let next = trie.advanced(position, by: literal.bytes.span)
                    note(next, length)
                    follow([literal.node], at: next, length: length + 1)
                }
            }
        }

        /// Adds the rule that decides the keys that end at the position.
        private mutating func note(_ position: Position, _ length: Int) {
            let rule = trie.rule(at: position)
            if isFound.insert(rule).inserted { found.append(Decider(rule: rule, length: length)) }
        }
    }
}
