import AccessRules
import Presigning
import Requests

/// What each of two files allows that the other refuses.
///
/// The paths of each store are cut into cells, in which one rule of each file decides and the same denials match
/// (`PathWalk`). In a cell, a request is allowed by one grant of the deciding rule, so it suffices to ask for each grant
/// of one file: the callers that need nothing but this grant (`CallerNeeds`), with its hardest requests
/// (`HardestRequests`). Both files decide each of them as `explain` does.
package struct PolicyComparison {
    let files: [PolicyFile]
    /// The names of the files, for people.
    let names: [String]
    /// What the second file alone allows, and what the first file alone allows; the shortest paths first.
    package private(set) var wider: [RuleDifference] = []
    package private(set) var narrower: [RuleDifference] = []

    /// Those with an API key that is not the same caller in both files.
    private let changedCallers: [Caller]
    /// An identity or group that neither file names, and no path has.
    private let freeName: String
    private var seen: Set<RuleDifference.Key> = []
    private var budget: Budget

    /// Compares two files.
    ///
    /// - Parameters:
    ///   - names: Their names.
    ///   - isOver: Whether the time is over.
    package init(
        _ old: PolicyFile, _ new: PolicyFile, names: [String], isOver: @escaping () -> Bool
    ) throws(TooManyCombinations) {
        (files, self.names, budget) = ([old, new], names, Budget(isOver: isOver))
        let vocabulary = Vocabulary(files)
        var keys = Set(files.flatMap(\.keyIDs)).union(vocabulary.keys)
        // One more key: only a file with rules alone knows keys that it does not name.
        if old.isRulesOnly != new.isRulesOnly { keys.insert("another-key") }
        keys = keys.filter { old.validCaller(ofKey: $0) != new.validCaller(ofKey: $0) }
        changedCallers = keys.sorted().map { Caller(apiKeyID: $0, identity: nil) }
        let callers = keys.flatMap { id in [old, new].compactMap { $0.validCaller(ofKey: id) } }
        let values = Set(callers.flatMap { [$0.identity].compactMap(\.self) + $0.groups }.filter(Caller.isSafeIdentity))
            .sorted { $0.lexicographicallyPrecedes($1) }
        let known = vocabulary.words.union(values)
        let name = (1...).lazy.map { Array(repeating: UInt8(ascii: "z"), count: $0) }.first { !known.contains($0) }
        freeName = String(decoding: name ?? [], as: UTF8.self)
        let words = SegmentWords(avoiding: known.union([Array(freeName.utf8)]))
        for store in stores {
            let indices = files.map { $0.policy.index(ofStore: store) }
            var walk = PathWalk(files.map(\.policy), stores: indices, values: values, words: words)
            var cells: Set<Cell> = []
            var budget = budget
            try walk.run(&budget) { [walk] path, place, isNew, budget throws(TooManyCombinations) in
                let cell = Cell(rules: walk.rules(at: place), denied: walk.denied(at: place), captured: place.captured)
                let isNewCell = !path.isEmpty && cells.insert(cell).inserted
                for lax in [1, 0] {
                    let side = Side(lax: lax, stores: indices, store: store)
                    if isNew { try compareListing(path, side, &budget) }
                    if isNewCell { compare(cell, path, side) }
                }
            }
            self.budget = budget
        }
        wider.sort { $0.position < $1.position }
        narrower.sort { $0.position < $1.position }
    }

    /// The store that requests without a store use, and those with a name that are not it in both files.
    private var stores: [String?] {
        let defaults = files.map { file in file.policy.index(ofStore: nil).map { file.policy.stores[$0].name } }
        let named = Set(files.flatMap(\.storeNames)).filter { name in defaults.contains { $0 != name } }
        return [nil] + named.sorted()
    }

    /// The paths that the same rules decide.
    private struct Cell: Hashable {
        let rules: [Int?]
        let denied: [AccessActionSet]
        let captured: [[UInt8]?]
    }

    /// Which file is asked to allow, and in which store.
    private struct Side {
        let lax: Int
        let stores: [Int?]
        let store: String?
        var strict: Int { 1 - lax }
    }

    private mutating func compare(_ cell: Cell, _ path: [[UInt8]], _ side: Side) {
        guard let index = cell.rules[side.lax], let store = side.stores[side.lax] else { return }
        let policy = files[side.lax].policy
        let rule = policy.rules[index]
        let grants = zip(files, cell.rules).flatMap { file, rule in rule.map { file.policy.rules[$0].grants } ?? [] }
        let key = Array(path.joined(separator: [UInt8(ascii: "/")]))
        for action in AccessAction.allCases where !cell.denied[side.lax].contains(.init(action)) {
            if action == .list, !policy.stores[store].offersListing { continue }
            for grant in rule.grants where grant.actions.contains(.init(action)) {
                let hardest = HardestRequests(
                    limits: grant.constraints, lifetime: policy.expires.maximum(within: grant.constraints),
                    types: grants.flatMap { $0.constraints.types ?? [] },
                    settings: grants.flatMap { $0.constraints.set ?? [] })
                let callers = CallerNeeds(grant.grantee, of: rule.template, at: path).map { self.callers($0, side) }
                let requests = ((callers ?? []) + changedCallers).lazy.flatMap { caller in
                    hardest.requests(PresignRequest(caller: caller, action: action, path: key, store: side.store))
                }
                for isShare in [false, true] {
                    note(requests.filter { ($0.share != nil) == isShare }, side)
                }
            }
        }
    }

    private func callers(_ needs: CallerNeeds, _ side: Side) -> [Caller] {
        needs.callers(
            files[side.strict].policy.groups == .exclusive, definesKeys: !files.allSatisfy(\.isRulesOnly), freeName)
    }

    /// Adds the request for which the files differ most, unless the cause is known.
    private mutating func note(_ requests: some Sequence<PresignRequest>, _ side: Side) {
        var most: RuleDifference?
        for request in requests {
            guard let difference = RuleDifference(request, of: files, lax: side.lax) else { continue }
            if difference.change.rawValue < most?.change.rawValue ?? .max { most = difference }
            if difference.change == .refused { break }
        }
        guard let difference = most, seen.insert(difference.key).inserted else { return }
        if side.lax == 1 { wider.append(difference) } else { narrower.append(difference) }
    }

    /// Compares the listings of a prefix. A caller needs one grant of each rule that decides keys below the prefix.
    private mutating func compareListing(
        _ path: [[UInt8]], _ side: Side, _ budget: inout Budget
    ) throws(TooManyCombinations) {
        let policy = files[side.lax].policy
        guard let store = side.stores[side.lax], policy.stores[store].offersListing else { return }
        let prefix = path.reduce(into: [UInt8]()) { $0 += $1 + [UInt8(ascii: "/")] }
        var request = PresignRequest(caller: .guest, action: .list, path: prefix, store: side.store)
        guard policy.listingDenials(for: request, in: store).isEmpty else { return }
        var needs = [CallerNeeds()]
        var lifetimes: Set<Int64> = [policy.expires.maximum(within: AccessConstraints())]
        for decider in policy.trie.deciders(below: prefix, in: store) {
            try budget.take(path)
            guard let rule = decider.rule.map({ policy.rules[$0] }) else { return }
            let grants = rule.grants.filter { $0.actions.contains(.init(.list)) }
            lifetimes.formUnion(grants.map { policy.expires.maximum(within: $0.constraints) })
            if grants.contains(where: { $0.grantee == .everyone }) { continue }
            let options = grants.compactMap { CallerNeeds($0.grantee, of: rule.template, at: path) }
            var known: Set<CallerNeeds> = []
            let all = needs.flatMap { one in options.compactMap { one.adding($0) } }
                .filter { known.insert($0).inserted }
            let isExclusive = policy.groups == .exclusive
            needs = all.filter { one in !all.contains { $0 != one && $0.areWithin(one, isExclusive) } }
            if needs.isEmpty, changedCallers.isEmpty { return }
            if needs.count > 1000 { throw TooManyCombinations(path: PathWalk.text(path)) }
        }
        for caller in needs.flatMap({ callers($0, side) }) + changedCallers {
            request = PresignRequest(caller: caller, action: .list, path: prefix, store: side.store)
            let requests = lifetimes.sorted().map { lifetime in
                request.expiresIn = lifetime
                return request
            }
            note(requests, side)
        }
    }
}

/// The words of two files, none of which is free.
private struct Vocabulary {
    private(set) var words: Set<[UInt8]> = []
    /// The ids of the API keys that rules name.
    private(set) var keys: Set<String> = []

    init(_ files: [PolicyFile]) {
        let (rules, denials) = (files.flatMap(\.policy.rules), files.flatMap(\.policy.stores).flatMap(\.denials))
        for case .literal(let bytes) in rules.flatMap(\.template.segments) { words.insert(bytes) }
        for case .glob(let glob) in denials.flatMap(\.pattern.segments) { words.insert(glob) }
        for grant in rules.flatMap(\.grants) {
            switch grant.grantee {
            case .group(let name), .certificate(let name): words.insert(name)
            case .apiKey(let id): keys.insert(String(decoding: id, as: UTF8.self))
            case .everyone, .guest, .authenticated, .owner, .placeholder: break
            }
        }
        for file in files {
            for caller in (file.keyIDs + keys).compactMap(file.validCaller) {
                words.formUnion([caller.identity].compactMap(\.self) + caller.groups)
            }
        }
    }
}
