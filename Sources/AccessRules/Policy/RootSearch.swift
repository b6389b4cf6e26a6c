import Presigning
package import Requests
import Text

/// The folders at which a caller can start: those that it may list, and those to which it may upload.
package struct Roots: Sendable, Equatable {
    /// Prefixes, each empty or with a slash at its end, the shortest paths first.
    package internal(set) var folders: [[UInt8]] = []
    /// Whether there can be more of them.
    package internal(set) var areTruncated = false

    /// No folders.
    package init() {}
}

extension AccessPolicy {
    /// The maximum number of roots of a caller.
    package static let maximumRoots = 100

    /// Returns the folders at which a caller can start, at most `maximumRoots`.
    ///
    /// The folders are those of the rules that grant the caller listings or uploads, with its own values in place of
    /// placeholders. A folder within a root is omitted if the caller may do no more there.
    ///
    /// - Parameter name: The store's name; nil for the default store.
    package func roots(of caller: Caller, in name: String?) -> Roots {
        guard let store = index(ofStore: name) else { return Roots() }
        var search = RootSearch(for: caller, in: store, of: self)
        search.run()
        return search.roots
    }
}

/// Searches for the folders at which a caller can start.
///
/// A rule has a folder for each combination of the caller's values for its placeholders, and a token can have thousands
/// of groups. So the search is bounded in steps, which the rules share: each tries its first folder, and then as many
/// as its equal share of the shared steps, and of those that other rules do not need.
///
/// A step is the cost of comparing one short folder with one rule, about half a microsecond.
struct RootSearch {
    /// The steps for all folders but the first one of each rule.
    var sharedSteps = 4000
    /// The steps for the first folders, multiplied by the number of rules: enough for short paths and 100 denials.
    static let stepsPerRule = 14

    private let policy: AccessPolicy
    private let store: Int
    private let caller: Caller
    /// The caller's groups that can be segments of a path, each once.
    private let groups: [[UInt8]]
    private let foreign: [UInt8]
    /// The actions that make a folder a root.
    private let useful: AccessActionSet
    /// The roots as rules of two stores: those that are listed, and those to which the caller can upload.
    private var known = RuleTrie(stores: 2)
    private static let (listed, writable) = (0, 1)

    /// The questions about a folder; only their paths change.
    private var write, multipart, list: PresignRequest

    private(set) var roots = Roots()
    /// The steps that were taken.
    private(set) var steps = 0

    init(for caller: Caller, in store: Int, of policy: AccessPolicy) {
        (self.policy, self.store, self.caller) = (policy, store, caller)
        var unique: Set<[UInt8]> = []
        groups = caller.groups.filter { Caller.isSafeIdentity($0) && unique.insert($0).inserted }
        foreign = caller.foreignSegment
        (write, multipart, list) = (
            .limits(of: .write, for: caller), .limits(of: .multipart, for: caller), .limits(of: .list, for: caller)
        )
        if policy.stores[store].offersListing {
            useful = .upload.union(.init(.list))
        } else {
            useful = .upload
            insert([], into: Self.listed)
        }
    }

    mutating func run() {
        let sources = folderSources()
        let shares = shares(among: sources)
        let firsts = min(sources.reduce(0) { $0 + $1.cost }, sources.count * Self.stepsPerRule)
        let limit = sharedSteps + firsts
        var reserved = shares.reduce(0, +)
        for (source, share) in zip(sources, shares) {
            if isKnown(foreign, in: Self.listed), isKnown(foreign, in: Self.writable) { return }
            reserved -= share
            for index in 0..<source.count {
                guard steps + source.cost <= limit - (index == 0 ? 0 : reserved) else {
                    roots.areTruncated = true
                    break
                }
                steps += source.cost
                visit(source.folder(index))
                if roots.folders.count > AccessPolicy.maximumRoots {
                    roots.folders.removeLast()
                    roots.areTruncated = true
                    return
                }
            }
        }
    }

    /// The steps of each source: those for its first folder, and its share of the others.
    private func shares(among sources: [FolderSource]) -> [Int] {
        var shares = sources.map(\.cost)
        var left = sharedSteps
        let byNeed = sources.indices.sorted { sources[$0].further < sources[$1].further }
        for (position, index) in byNeed.enumerated() {
            let share = min(sources[index].further, left / (byNeed.count - position))
            shares[index] += share
            left -= share
        }
        return shares
    }

    /// The folders of the rules that grant the caller listings or uploads, the shortest paths first.
    private func folderSources() -> [FolderSource] {
        var byDepth: [[FolderSource]] = []
        for rule in policy.rules(inStore: store) {
            guard let source = source(of: rule) else { continue }
            while byDepth.count <= source.segments.count { byDepth.append([]) }
            byDepth[source.segments.count].append(source)
        }
        return byDepth.flatMap(\.self)
    }

    private func source(of rule: AccessRule) -> FolderSource? {
        guard rule.grants.contains(where: { !$0.actions.isDisjoint(with: useful) }) else { return nil }
        let segments = rule.template.segments
        let depth = rule.template.folderDepth
        // Grants treat all values of the caller alike, and ignore what follows the last placeholder. So the first
        // values up to there stand for the keys of all folders.
        var key: [UInt8] = []
        var choices: [[[UInt8]]] = []
        for (index, segment) in segments[..<rule.template.placeholdersEnd].enumerated() {
            if index > 0 { key.append(ASCII.slash) }
            switch segment {
            case .literal(let bytes): key.append(bytes)
            case .any, .rest: key.append(foreign)
            case .placeholder(let placeholder):
                let choice = values(of: placeholder)
                key.append(choice.first ?? foreign)
                guard index < depth else { continue }
                if choice.isEmpty { return nil }
                choices.append(choice)
            }
        }
        let request = PresignRequest(caller: caller, action: .list, path: key)
        let granted = rule.grantedActions(for: request, groups: policy.groups)
        guard !granted.isDisjoint(with: useful) else { return nil }
        let comparisons = 2 + policy.stores[store].denials.count / 8
        let cost = comparisons * (1 + rule.reference.pattern.utf8.count / 64 + segments.count / 8)
        return FolderSource(segments: segments.prefix(depth), choices: choices, cost: cost)
    }

    /// The caller's values that can be a segment of a path.
    private func values(of placeholder: Placeholder) -> [[UInt8]] {
        switch placeholder {
        case .identity: [caller.identity].compactMap(\.self).filter(Caller.isSafeIdentity)
        case .group: groups
        case .claim(let name): caller.claims.filter { $0.name == name }.map(\.value).filter(Caller.isSafeIdentity)
        }
    }

    /// Adds the folder to the roots if the caller may do something there that it may not do in a root around it.
    private mutating func visit(_ folder: [UInt8]) {
        write.path = folder + foreign
        let isWritable = isKnown(write.path, in: Self.writable)
        let isListed = isKnown(write.path, in: Self.listed)
        if isWritable && isListed { return }
        guard let rule = policy.trie.rule(for: write.path, in: store) else { return }
        // A listing covers this key too, so only what its rule grants can be allowed.
        let granted = policy.rules[rule].grantedActions(for: write, groups: policy.groups)
        var (mayUpload, mayList) = (false, false)
        if !isWritable {
            multipart.path = write.path
            mayUpload =
                (granted.contains(.init(.write)) && policy.decision(for: write, in: store).isAllowed)
                || (granted.contains(.init(.multipart)) && policy.decision(for: multipart, in: store).isAllowed)
        }
        if !isListed, granted.contains(.init(.list)) {
            list.path = folder
            mayList = policy.listingDecision(for: list, in: store, asked: &steps).isAllowed
        }
        if mayUpload { insert(folder, into: Self.writable) }
        if mayList { insert(folder, into: Self.listed) }
        if mayUpload || mayList { roots.folders.append(folder) }
    }

    /// Whether a key is in a known root.
    private func isKnown(_ key: [UInt8], in roots: Int) -> Bool { known.rule(for: key, in: roots) != nil }

    private mutating func insert(_ folder: [UInt8], into roots: Int) {
        let segments = folder.split(separator: ASCII.slash).map { PathTemplate.Segment.literal(Array($0)) }
        _ = known.insert(0, at: segments + [.rest], in: roots)
    }
}

extension PresignRequest {
    /// Asks which limits apply to an action.
    fileprivate static func limits(of action: AccessAction, for caller: Caller) -> PresignRequest {
        var request = PresignRequest(caller: caller, action: action, path: [])
        request.asksForLimits = true
        return request
    }
}

/// The folders of one rule for one caller.
private struct FolderSource {
    /// Literals and placeholders.
    let segments: ArraySlice<PathTemplate.Segment>
    /// The possible values of each placeholder.
    let choices: [[[UInt8]]]
    /// The steps for one folder.
    let cost: Int
    /// The number of folders, at most about a million times the number of groups.
    let count: Int
    /// The steps for all folders but the first.
    let further: Int

    init(segments: ArraySlice<PathTemplate.Segment>, choices: [[[UInt8]]], cost: Int) {
        (self.segments, self.choices, self.cost) = (segments, choices, cost)
        count = choices.reduce(1) { min($0, 1 << 20) * $1.count }
        further = (count - 1) * cost
    }

    /// A folder. The values of the last placeholder change first as the index grows.
    func folder(_ index: Int) -> [UInt8] {
        var rest = index
        var values: [[UInt8]] = []
        for choice in choices.reversed() {
            values.append(choice[rest % choice.count])
            rest /= choice.count
        }
        var path: [UInt8] = []
        for segment in segments {
            if case .literal(let bytes) = segment { path.append(bytes) } else { path.append(values.removeLast()) }
            path.append(ASCII.slash)
        }
        return path
    }
}

extension PathTemplate {
    /// The number of segments before the first wildcard, not counting the last segment, which names an object.
    fileprivate var folderDepth: Int {
        segments.dropLast().prefix { $0 != .any && $0 != .rest }.count
    }

    /// The number of segments up to the last placeholder.
    fileprivate var placeholdersEnd: Int {
        let last = segments.lastIndex { if case .placeholder = $0 { true } else { false } }
        return last.map { $0 + 1 } ?? 0
    }
}
