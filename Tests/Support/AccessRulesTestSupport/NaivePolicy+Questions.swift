/// Questions that are not about one request.
extension NaivePolicy {
    /// Whether the caller may list every key below a prefix, so that a listing of the prefix discloses nothing else.
    ///
    /// - Parameter prefix: the segments of the prefix; empty for the whole store.
    func mayList(every prefix: [String], in store: String, _ who: Who?) -> Bool {
        RandomPolicy.endings(below: prefix).allSatisfy { ending in
            verdict(
                on: Request(who: who, action: "list", path: prefix + ending, store: store, hasChecksum: false)
            ).status == 200
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
}
