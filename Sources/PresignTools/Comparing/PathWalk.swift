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

/// What a comparison may cost: combinations of segments, and time.
struct Budget {
    private var left = 200_000
    private var steps = 0
    let isOver: () -> Bool

    /// - Parameter isOver: Whether the time is over; asked every few steps.
    init(isOver: @escaping () -> Bool) { self.isOver = isOver }

    mutating func step(_ cost: Int = 1, at path: @autoclosure () -> String) throws(TooManyCombinations) {
        steps += cost
        if steps > 256 {
            steps = 0
            if isOver() { throw TooManyCombinations(path: path()) }
        }
    }

    /// Takes one of the places of the search, each of which takes memory.
    mutating func place(at path: @autoclosure () -> String) throws(TooManyCombinations) {
        left -= 1
        if left < 0 { throw TooManyCombinations(path: path()) }
        try step(at: path())
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
    /// The patterns of the denials of both files, each once. `**` at the end matches one or more segments.
    private let denials: StarAutomaton<DenyPattern.Segment>
    /// What each file denies, by the index of the pattern.
    private let denied: [[AccessActionSet]]
    private var words: SegmentWords
    /// Words that placeholders capture besides free ones: values of callers that are not free to choose.
    private let values: [[UInt8]]
    /// Whether a rule captures the same value twice, so that equal segments matter.
    private let repeats: Bool
    private let start: Place
    /// For each file, the class of each rule, and the shape of each node of its tree.
    private let classes: [[Int]]
    private let shapes: [[Int]]
    /// Whether the files differ in nothing but rules and denials, so that nothing differs where these are alike.
    private let settles: Bool

    init(_ policies: [AccessPolicy], stores: [Int?], values: [[UInt8]], words: SegmentWords, settles: Bool) {
        tries = policies.map(\.trie)
        self.settles = settles
        var (groups, numbers) = (RuleClasses(), [RuleTrie.Shape: Int]())
        classes = policies.map { policy in policy.rules.map { groups.number(of: $0) } }
        shapes = zip(tries, classes).map { $0.shapes(&numbers, classes: $1) }
        var (patterns, denied) = ([[DenyPattern.Segment]](), [[AccessActionSet]]())
        var known: [[DenyPattern.Segment]: Int] = [:]
        for (file, (policy, store)) in zip(policies, stores).enumerated() {
            for denial in store.map({ policy.stores[$0].denials }) ?? [] {
                let segments = denial.pattern.segments
                let index = known[segments] ?? patterns.count
                if known.updateValue(index, forKey: segments) == nil {
                    let isOpen = segments.last == .rest
                    patterns.append(isOpen ? segments.dropLast() + [Self.any, .rest] : segments)
                    denied.append([[], []])
                }
                denied[index][file].formUnion(denial.actions)
            }
        }
        denials = StarAutomaton(patterns, star: .rest)
        (self.denied, self.values, self.words) = (denied, values, words)
        repeats = policies.flatMap(\.rules).contains { rule in
            let single = rule.template.placeholders.filter { $0 != .group }
            return Set(single).count < single.count
        }
        start = Place(rules: zip(tries, stores).map { $0.start(in: $1) }, denials: denials.start)
    }

    private static let any = DenyPattern.Segment.glob([UInt8(ascii: "*")])

    /// The index of the deciding rule of each file.
    func rules(at place: Place) -> [Int?] { zip(tries, place.rules).map { $0.rule(at: $1) } }

    /// The actions that each file denies.
    func denied(at place: Place) -> [AccessActionSet] {
        denials.ends(at: place.denials).reduce([[], []]) { [$0[0].union(denied[$1][0]), $0[1].union(denied[$1][1])] }
    }

    /// Visits a path for each place, the shortest first, beginning with the empty one. A place whose rules with `**`
    /// decide as those of a place before it is visited, but not followed.
    mutating func run(
        _ budget: inout Budget,
        _ visit: ([[UInt8]], Place, _ isNew: Bool, inout Budget) throws(TooManyCombinations) -> Void
    ) throws(TooManyCombinations) {
        if isSettled(start) { return }
        var seen: Set<Summary> = [summary(of: start)]
        var queue: [(parent: Int, word: [UInt8], place: Place)] = [(-1, [], start)]
        try visit([], start, true, &budget)
        var head = 0
        while head < queue.count {
            let (path, place) = (self.path(to: head, in: queue), queue[head].place)
            if path.joined().count + path.count <= S3Limits.key {
                for word in try options(at: place, path, &budget) {
                    let (next, longer) = (advanced(place, by: word), path + [word])
                    try budget.step(at: Self.text(longer))
                    if isSettled(next) { continue }
                    let isNew = seen.insert(summary(of: next)).inserted
                    try visit(longer, next, isNew, &budget)
                    if isNew {
                        try budget.place(at: Self.text(longer))
                        queue.append((head, word, next))
                    }
                }
            }
            head += 1
        }
    }

    private struct Summary: Hashable {
        let nodes: [[Int]]
        let rests: [Int?]
        let denials: [Int]
        let captured: [[UInt8]?]
    }

    private func summary(of place: Place) -> Summary {
        let all = tries.indices.map { tries[$0].summary(of: place.rules[$0], classes: classes[$0]) }
        return Summary(
            nodes: all.map(\.nodes), rests: all.map(\.rest), denials: place.denials, captured: place.captured)
    }

    /// Whether both files decide all keys below the place alike.
    private func isSettled(_ place: Place) -> Bool {
        guard settles else { return false }
        let all = tries.indices.map { tries[$0].summary(of: place.rules[$0], classes: classes[$0]) }
        return all[0].rest == all[1].rest
            && all[0].nodes.map { shapes[0][$0] } == all[1].nodes.map { shapes[1][$0] }
            && denials.patterns(at: place.denials).allSatisfy { denied[$0][0] == denied[$0][1] }
    }

    private func path(to index: Int, in queue: [(parent: Int, word: [UInt8], place: Place)]) -> [[UInt8]] {
        var (path, index) = ([[UInt8]](), index)
        while queue[index].parent >= 0 {
            path.append(queue[index].word)
            index = queue[index].parent
        }
        return path.reversed()
    }

    static func text(_ path: [[UInt8]]) -> String {
        path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
    }

    private func captures(at place: Place) -> Bool { zip(tries, place.rules).contains { $0.capturesNext(at: $1) } }

    private mutating func options(
        at place: Place, _ path: [[UInt8]], _ budget: inout Budget
    ) throws(TooManyCombinations) -> [[UInt8]] {
        let globs = denials.symbols(at: place.denials).subtracting([Self.any]).compactMap { symbol in
            if case .glob(let glob) = symbol { glob } else { nil }
        }.sorted { $0.lexicographicallyPrecedes($1) }
        var literals = Set(zip(tries, place.rules).flatMap { $0.literals(at: $1) })
        literals.formUnion(globs.filter { !$0.contains(UInt8(ascii: "*")) && Caller.isSafeIdentity($0) })
        if captures(at: place) { literals.formUnion(values + place.captured.compactMap(\.self)) }
        let classes = try words.classes(of: globs.filter { $0.contains(UInt8(ascii: "*")) }, &budget)
        let free = try classes.map { words throws(TooManyCombinations) in
            guard let word = words.first(where: { !path.contains($0) && !literals.contains($0) }) else {
                throw TooManyCombinations(path: Self.text(path))
            }
            return word
        }
        return free + literals.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private func advanced(_ place: Place, by word: [UInt8]) -> Place {
        var next = Place(
            rules: zip(tries, place.rules).map { $0.advanced($1, by: word.span) },
            denials: denials.advanced(place.denials) { symbol in
                if case .glob(let glob) = symbol { DenyPattern.glob(glob, matches: word.span) } else { false }
            }, captured: place.captured)
        if repeats || !values.isEmpty, captures(at: place) {
            next.captured.append(repeats || values.contains(word) ? word : nil)
        }
        return next
    }
}

/// Numbers for rules, which are equal for rules that decide alike: they have the same grants, and capture the same
/// segments.
private struct RuleClasses {
    private struct Key: Hashable {
        let placeholders: [Int: Placeholder]
        let grantees: [Grantee]
    }

    private var known: [Key: [(grants: [AccessRule.Grant], number: Int)]] = [:]
    private var count = 0

    mutating func number(of rule: AccessRule) -> Int {
        var placeholders: [Int: Placeholder] = [:]
        for (index, segment) in rule.template.segments.enumerated() {
            if case .placeholder(let placeholder) = segment { placeholders[index] = placeholder }
        }
        let key = Key(placeholders: placeholders, grantees: rule.grants.map(\.grantee))
        if let same = known[key]?.first(where: { $0.grants == rule.grants }) { return same.number }
        count += 1
        known[key, default: []].append((rule.grants, count))
        return count
    }
}
