import AccessRules
import Presigning
import Requests
import Text

/// There are too many combinations of segments to try all of them.
package struct TooManyCombinations: Error, Equatable, CustomStringConvertible {
    /// The path at which the search ended.
    let path: String

    package var description: String {
        "too many combinations at \(path.isEmpty ? "the start of the path" : path); compare fewer rules at once"
    }
}

/// What a comparison may cost: time, and the memory of what a search keeps.
struct Budget {
    /// In bytes, estimated.
    private var memory = 100 << 20
    let isOver: () -> Bool

    /// - Parameter isOver: Whether the time is over.
    init(isOver: @escaping () -> Bool) { self.isOver = isOver }

    /// Takes the time of one more path or state, and the memory of what is kept of it.
    mutating func take(_ path: [[UInt8]], keeping bytes: Int = 0) throws(TooManyCombinations) {
        memory -= bytes
        if memory < 0 || isOver() { throw TooManyCombinations(path: PathWalk.text(path)) }
    }
}

/// Follows all paths of a store at once through the rules and denials of two files.
///
/// After some segments, all that decides about the rest of a path is its place: the nodes of both trees of rules that
/// match, and the positions in the patterns of denials. So one path for each place stands for all others. From there it
/// tries the literals with which a rule or denial goes on, and one free word for each set of globs.
///
/// Paths are followed with free words first and the shortest paths first, so the path of a place has a literal only
/// where the place needs one, and its free words all differ. Then a placeholder captures the caller's own value only
/// where the rule of the other file captures it, too, which is the case in which the fewest grants reach the caller.
struct PathWalk {
    /// What decides about the rest of a path.
    struct Place: Hashable {
        fileprivate(set) var rules: [RuleTrie.Position]
        fileprivate(set) var denials: [Int]
        /// The captured words that a caller with given values can own, and nil for others.
        fileprivate(set) var captured: [[UInt8]?] = []
    }

    private let tries: [RuleTrie]
    /// The denials of both files, with the index of the file.
    private let denied: [(file: Int, denial: AccessPolicy.Denial)]
    /// Their patterns. `**` at the end matches one or more segments.
    private let denials: StarAutomaton<DenyPattern.Segment>
    private var words: SegmentWords
    /// Words that placeholders capture besides free ones: values of callers that are not free to choose.
    private let values: [[UInt8]]
    private let repeats: [RepeatedCapture]
    private let start: Place
    /// For each rule a number, which is equal for rules that decide alike: with the same grants, and the same captures.
    private let kinds: [[Int]]

    init(_ policies: [AccessPolicy], stores: [Int?], values: [[UInt8]], words: SegmentWords) {
        tries = policies.map(\.trie)
        kinds = RuleKind.numbers(of: policies.map(\.rules))
        denied = zip(policies, stores).enumerated().flatMap { file, compared in
            let (policy, store) = compared
            return store.map { policy.stores[$0].denials.map { (file, $0) } } ?? []
        }
        denials = StarAutomaton(
            denied.map { _, denial in
                let segments = denial.pattern.segments
                return segments.last == .rest ? segments.dropLast() + [Self.any, .rest] : segments
            }, star: .rest)
        (self.values, self.words) = (values, words)
        repeats = RepeatedCapture.all(in: policies.flatMap(\.rules).map(\.template.segments))
        start = Place(rules: zip(tries, stores).map { $0.start(in: $1) }, denials: denials.start)
    }

    private static let any = DenyPattern.Segment.glob([UInt8(ascii: "*")])

    /// The index of the deciding rule of each file.
    func rules(at place: Place) -> [Int?] { zip(tries, place.rules).map { $0.rule(at: $1) } }

    /// The actions that each file denies.
    func denied(at place: Place) -> [AccessActionSet] {
        denials.ends(at: place.denials).reduce(into: [[], []]) { actions, index in
            actions[denied[index].file].formUnion(denied[index].denial.actions)
        }
    }

    /// Visits a path for each place, the shortest first, beginning with the empty one. A place whose rules with `**`
    /// decide as those of a place before it is visited, but not followed.
    mutating func run(
        _ budget: inout Budget,
        _ visit: ([[UInt8]], Place, _ isNew: Bool, inout Budget) throws(TooManyCombinations) -> Void
    ) throws(TooManyCombinations) {
        var seen: Set<Place> = [kind(of: start)]
        var queue: [(path: [[UInt8]], place: Place)] = [([], start)]
        try visit([], start, true, &budget)
        var head = 0
        while head < queue.count {
            let (path, place) = queue[head]
            head += 1
            guard path.joined().count + path.count <= S3Limits.key else { continue }
            let reached = repeats.filter { $0.isReached(by: path) }
            for word in try options(at: place, path, reached, &budget) {
                let (next, longer) = (advanced(place, by: word, isRepeated: !reached.isEmpty), path + [word])
                let isNew = seen.insert(kind(of: next)).inserted
                try visit(longer, next, isNew, &budget)
                try budget.take(longer, keeping: isNew ? 500 + 16 * longer.count : 0)
                if isNew { queue.append((longer, next)) }
            }
        }
    }

    /// The place with numbers instead of its rules with `**`.
    private func kind(of place: Place) -> Place {
        var kind = place
        kind.rules = zip(place.rules, kinds).map { $0.replacingRest(by: $1) }
        return kind
    }

    static func text(_ path: [[UInt8]]) -> String {
        path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    private func captures(at place: Place) -> Bool { zip(tries, place.rules).contains { $0.capturesNext(at: $1) } }

    private mutating func options(
        at place: Place, _ path: [[UInt8]], _ repeats: [RepeatedCapture], _ budget: inout Budget
    ) throws(TooManyCombinations) -> [[UInt8]] {
        var symbols = denials.symbols(at: place.denials)
        var literals = Set(zip(tries, place.rules).flatMap { $0.literals(at: $1) })
        if captures(at: place) { literals.formUnion(values + place.captured.compactMap(\.self)) }
        if !repeats.isEmpty { symbols.formUnion(denied.flatMap(\.denial.pattern.segments)) }
        literals.formUnion(repeats.flatMap(\.literals))
        let globs = symbols.subtracting([Self.any]).compactMap { symbol in
            if case .glob(let glob) = symbol { glob } else { nil }
        }.sorted { $0.lexicographicallyPrecedes($1) }
        literals.formUnion(globs.filter { !$0.contains(UInt8(ascii: "*")) && Caller.isSafeIdentity($0) })
        let classes = try words.classes(of: globs.filter { $0.contains(UInt8(ascii: "*")) }, at: path, &budget)
        let free = try classes.map { words throws(TooManyCombinations) in
            guard let word = words.first(where: { !path.contains($0) && !literals.contains($0) }) else {
                throw TooManyCombinations(path: Self.text(path))
            }
            return word
        }
        return free + literals.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func advanced(_ place: Place, by word: [UInt8], isRepeated: Bool) -> Place {
        var next = Place(
            rules: zip(tries, place.rules).map { $0.advanced($1, by: word.span) },
            denials: denials.advanced(place.denials) { symbol in
                if case .glob(let glob) = symbol { DenyPattern.glob(glob, matches: word.span) } else { false }
            }, captured: place.captured)
        if !repeats.isEmpty || !values.isEmpty, captures(at: place) {
            next.captured.append(isRepeated || values.contains(word) ? word : nil)
        }
        return next
    }
}

/// What a rule decides about the keys that it matches.
private struct RuleKind: Hashable {
    private let placeholders: [Int: Placeholder]
    private let grants: [AccessRule.Grant]

    private init(_ rule: AccessRule) {
        let captures = rule.template.segments.enumerated().compactMap { index, segment -> (Int, Placeholder)? in
            if case .placeholder(let placeholder) = segment { (index, placeholder) } else { nil }
        }
        (placeholders, grants) = (Dictionary(uniqueKeysWithValues: captures), rule.grants)
    }

    static func numbers(of rules: [[AccessRule]]) -> [[Int]] {
        let kinds = rules.map { $0.map(RuleKind.init) }
        let numbers = Dictionary(zip(kinds.joined(), 0...)) { one, _ in one }
        return kinds.map { $0.map { numbers[$0] ?? 0 } }
    }
}

/// One of the segments of a rule that capture the same value, so that they must be equal.
private struct RepeatedCapture {
    /// The segments of the rule before it.
    private let before: ArraySlice<PathTemplate.Segment>
    /// The literals of all rules at those of the segments that follow. They decide against the rule only if they are
    /// tried here.
    let literals: Set<[UInt8]>

    static func all(in templates: [[PathTemplate.Segment]]) -> [RepeatedCapture] {
        templates.flatMap { segments in
            segments.indices.compactMap { RepeatedCapture(at: $0, of: segments, among: templates) }
        }
    }

    private init?(at index: Int, of segments: [PathTemplate.Segment], among templates: [[PathTemplate.Segment]]) {
        // A caller can be in two groups, so captured groups need not be equal.
        guard case .placeholder(let placeholder) = segments[index], placeholder != .group else { return nil }
        let equal = segments.indices.filter { segments[$0] == segments[index] }
        guard equal.count > 1 else { return nil }
        before = segments[..<index]
        var literals: Set<[UInt8]> = []
        for later in equal where later > index {
            for template in templates where later < template.count {
                if case .literal(let bytes) = template[later] { literals.insert(bytes) }
            }
        }
        self.literals = literals
    }

    func isReached(by path: [[UInt8]]) -> Bool {
        path.count == before.count
            && zip(before, path).allSatisfy { if case .literal(let bytes) = $0 { bytes == $1 } else { true } }
    }
}
