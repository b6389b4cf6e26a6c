extension AccessPolicy {
    /// The maximum number of roots of a caller.
    package static let maximumRoots = 100

    /// Returns the folders at which a caller can start: those that it may list, and those to which it may upload.
    ///
    /// The folders are those of the rules, with the caller's own values in place of placeholders. A folder within a
    /// root is omitted if the caller may do no more there. The shortest paths come first, at most `maximumRoots`.
    ///
    /// - Parameter name: The store's name; nil for the default store.
    /// - Returns: Prefixes, each empty or with a slash at its end.
    package func roots(of caller: Caller, in name: String?) -> [[UInt8]] {
        guard let store = index(ofStore: name) else { return [] }
        var roots: [[UInt8]] = []
        var (listed, writable): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
        for folder in folders(of: caller, in: store) where roots.count < Self.maximumRoots {
            let isListed = !folder.isInside(listed) && isAllowed(.list, at: folder, caller, name)
            let sample = folder + caller.foreignSegment
            let isWritable =
                !folder.isInside(writable)
                && (isAllowed(.write, at: sample, caller, name) || isAllowed(.multipart, at: sample, caller, name))
            if isListed { listed.insert(folder) }
            if isWritable { writable.insert(folder) }
            if isListed || isWritable { roots.append(folder) }
        }
        return roots
    }

    private func isAllowed(_ action: AccessAction, at key: [UInt8], _ caller: Caller, _ store: String?) -> Bool {
        var request = AccessRequest(caller: caller, action: action, key: key, store: store)
        request.asksForLimits = true
        if case .allowed = decision(for: request) { return true }
        return false
    }

    /// The folders of the rules that grant listings or uploads to any caller, each once, the shortest paths first.
    private func folders(of caller: Caller, in store: Int) -> [[UInt8]] {
        let useful = AccessActionSet.upload.union(.init(.list))
        var known: Set<[UInt8]> = []
        var byDepth: [[[UInt8]]] = []
        for rule in rules(inStore: store) where rule.grants.contains(where: { !$0.actions.isDisjoint(with: useful) }) {
            let depth = rule.template.folderDepth
            while byDepth.count <= depth { byDepth.append([]) }
            byDepth[depth] += rule.template.folders(of: caller, Self.maximumRoots).filter { known.insert($0).inserted }
        }
        return byDepth.flatMap(\.self)
    }
}

extension PathTemplate {
    /// The number of segments before the first wildcard, not counting the last segment, which names an object.
    fileprivate var folderDepth: Int {
        segments.dropLast().prefix { $0 != .any && $0 != .rest }.count
    }

    /// The prefixes for which the first segments stand, with the caller's values in place of placeholders.
    fileprivate func folders(of caller: Caller, _ limit: Int) -> [[UInt8]] {
        var folders: [[UInt8]] = [[]]
        for segment in segments.prefix(folderDepth) {
            let values = caller.values(of: segment)
            folders = Array(
                folders.flatMap { folder in values.map { folder + $0 + [UInt8(ascii: "/")] } }.prefix(limit))
        }
        return folders
    }
}

extension Caller {
    /// The values of a segment for this caller. None has a slash, which would make two segments of it.
    fileprivate func values(of segment: PathTemplate.Segment) -> [[UInt8]] {
        let values: [[UInt8]] =
            switch segment {
            case .literal(let bytes): [bytes]
            case .placeholder(.identity): identity.map { [$0] } ?? []
            case .placeholder(.group): groups
            case .placeholder(.claim(let name)): claims.filter { $0.name == name }.map(\.value)
            case .any, .rest: []
            }
        return values.filter { !$0.isEmpty && !$0.contains(UInt8(ascii: "/")) }
    }
}

extension [UInt8] {
    /// Whether one of these prefixes is the beginning of this one, or this one itself.
    fileprivate func isInside(_ prefixes: Set<[UInt8]>) -> Bool {
        if prefixes.isEmpty { return false }
        return prefixes.contains([])
            || indices.contains { self[$0] == UInt8(ascii: "/") && prefixes.contains(Array(self[...$0])) }
    }
}
