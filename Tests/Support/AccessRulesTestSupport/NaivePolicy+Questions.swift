/// Questions that are not about one request.
extension NaivePolicy {
    /// Whether the caller may list every key below a prefix, so that a listing of the prefix discloses nothing else.
    ///
    /// - Parameter prefix: the segments of the prefix; empty for the whole store.
    func mayList(every prefix: [String], in store: String, _ who: Who?) -> Bool {
        may("list", every: prefix, in: store, who)
    }

    /// Whether the caller may do this with every key below a prefix.
    ///
    /// - Parameter seconds: the lifetime that the URL needs.
    func may(
        _ action: String, every prefix: [String], in store: String, _ who: Who?, for seconds: Int64? = nil
    ) -> Bool {
        RandomPolicy.endings(below: prefix).allSatisfy { ending in
            let request = Request(
                who: who, action: action, path: prefix + ending, store: store, hasChecksum: false, expiresIn: seconds)
            return verdict(on: request).status == 200
        }
    }

    /// The actions on an object that are not refused whatever else a request says; nil if the path is invalid.
    func possibleActions(on path: [String], in store: String?, _ who: Who?) -> Set<String>? {
        var statuses: [String: Int] = [:]
        for action in ["get", "write", "delete", "multipart"] {
            statuses[action] =
                verdict(on: Request(who: who, action: action, path: path, store: store, hasChecksum: false)).status
        }
        if statuses.values.allSatisfy({ $0 == 400 }) { return nil }
        return Set(statuses.filter { [200, 422].contains($0.value) }.keys)
    }

    /// The folders at which the caller can start, found by trying every folder of every rule.
    func roots(in store: String, _ who: Who?) -> [String] {
        var folders: [(path: [String], listed: Bool, writable: Bool)] = []
        let candidates = rules.filter { $0.store == store }.flatMap { self.folders(of: $0, who) }
        for path in candidates.sorted(by: { $0.count < $1.count }) {
            let around = folders.filter { path.starts(with: $0.path) }
            let isListed = !around.contains(where: \.listed) && mayList(every: path, in: store, who)
            let uploads = possibleActions(on: path + ["z"], in: store, who)?.intersection(["write", "multipart"]) ?? []
            let isWritable = !around.contains(where: \.writable) && !uploads.isEmpty
            if isListed || isWritable { folders.append((path, isListed, isWritable)) }
        }
        return folders.map { $0.path.map { $0 + "/" }.joined() }
    }

    /// The folders of a rule that grants the caller listings or uploads, with its values for placeholders.
    private func folders(of rule: Rule, _ who: Who?) -> [[String]] {
        let wildcards: Set = ["*", "**"]
        let depth = rule.path.dropLast().prefix { !wildcards.contains($0) }.count
        var keys: [[String]] = [[]]
        for (index, segment) in rule.path.enumerated() {
            var values = wildcards.contains(segment) ? ["z"] : own(segment, who)
            if index >= depth, values.isEmpty { values = ["z"] }
            keys = keys.flatMap { key in values.map { key + [$0] } }
        }
        let granted = keys.filter { key in
            rule.grants.contains { grant in
                ["list", "write", "multipart"].contains { names(grant.actions, $0) }
                    && reaches(grant.grantee, Request(who: who, action: "", path: key, hasChecksum: false), rule)
            }
        }
        return granted.map { Array($0.prefix(depth)) }
    }

    /// A literal, or the caller's values for a placeholder.
    private func own(_ segment: String, _ who: Who?) -> [String] {
        switch segment {
        case "{identity}": [who?.identity].compactMap(\.self)
        case "{group}": who?.groups ?? []
        case _ where segment.hasPrefix("{"): [who?.claims[String(segment.dropFirst(7).dropLast())]].compactMap(\.self)
        default: [segment]
        }
    }
}
