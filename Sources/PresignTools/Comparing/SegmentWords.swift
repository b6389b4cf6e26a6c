import Requests

/// Words that stand for all segments that equal no literal of two files.
///
/// Such segments differ only in the globs that match them. The words of each set of globs are found with the
/// deterministic automaton of all globs, so no set that some segment has is missed.
struct SegmentWords {
    /// The words of the files: literals, values and names of callers. None of them is given out.
    private let vocabulary: Set<[UInt8]>
    /// Letters of words; the last one occurs in no word of the files.
    private let letters: [Unicode.Scalar]
    private var known: [[[UInt8]]: [[[UInt8]]]] = [:]
    /// The words of a state of the automaton, and those of all states together.
    private static let (perState, together) = (8...48, 20_000)

    init(avoiding vocabulary: Set<[UInt8]>) {
        self.vocabulary = vocabulary
        let used = Set(vocabulary.flatMap { String(decoding: $0, as: UTF8.self).unicodeScalars })
        let candidates =
            "defghijklmnopqrstuvwxyz0123456789".unicodeScalars + (0x100...0xFFFF).compactMap(Unicode.Scalar.init)
        letters = ["a", "b", "c"] + (candidates.first { !used.contains($0) }.map { [$0] } ?? [])
    }

    /// The words of each set of globs, the shortest first; the sets of the fewest globs come first.
    ///
    /// - Parameter path: The segments before, for the error.
    mutating func classes(
        of globs: [[UInt8]], at path: [[UInt8]], _ budget: inout Budget
    ) throws(TooManyCombinations) -> [[[UInt8]]] {
        if let known = known[globs] { return known }
        let patterns = globs.map { Array(String(decoding: $0, as: UTF8.self).unicodeScalars) }
        let automaton = StarAutomaton(patterns, star: "*")
        let alphabet = letters + Set(patterns.joined()).subtracting(letters + ["*"]).sorted()
        var (states, indices, next) = ([automaton.start], [automaton.start: 0], [[Int]]())
        while next.count < states.count {
            let state = states[next.count]
            try budget.take(path, keeping: 200 + 16 * (state.count + alphabet.count))
            next.append(
                alphabet.map { letter in
                    let target = automaton.advanced(state) { $0 == letter }
                    if indices[target] == nil {
                        indices[target] = states.count
                        states.append(target)
                    }
                    return indices[target] ?? 0
                })
        }
        let limit = min(max(Self.together / states.count, Self.perState.lowerBound), Self.perState.upperBound)
        var counts = Array(repeating: 0, count: states.count)
        var queue = [(state: 0, word: [UInt8]())]
        var (order, classes) = ([[Int]](), [[Int]: [[UInt8]]]())
        var head = 0
        while head < queue.count {
            let (state, word) = queue[head]
            head += 1
            if Caller.isSafeIdentity(word), !vocabulary.contains(word) {
                let matching = automaton.ends(at: states[state])
                if classes[matching] == nil { order.append(matching) }
                classes[matching, default: []].append(word)
            }
            for (letter, target) in zip(alphabet, next[state]) where counts[target] < limit {
                counts[target] += 1
                queue.append((target, word + String(letter).utf8))
            }
        }
        let sorted = order.enumerated().sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
        known[globs] = sorted.compactMap { classes[$0.element] }
        return known[globs] ?? []
    }
}
