extension PathTemplate {
    /// Whether every placeholder of the wanted kind captures, in the key, what is the caller's own.
    ///
    /// Walks the key anew instead of keeping captures: nothing is allocated, and most decisions need none.
    ///
    /// - Parameters:
    ///   - wanted: the placeholder that counts; nil for all of them
    ///   - key: a key that this template matches
    func captures(_ wanted: Placeholder?, of caller: Caller, in key: [UInt8]) -> Bool {
        var start = 0
        var isFound = false
        for segment in segments {
            let end = key[start...].firstIndex(of: UInt8(ascii: "/")) ?? key.count
            if case .placeholder(let placeholder) = segment, wanted == nil || wanted == placeholder {
                guard caller.owns(key[start..<end], as: placeholder) else { return false }
                isFound = true
            }
            start = min(end + 1, key.count)
        }
        return isFound
    }
}

extension Caller {
    /// Whether a captured segment is this caller's own value, compared as bytes. A segment is never empty, so an empty
    /// value owns nothing; nor does one with a slash in it.
    fileprivate func owns(_ segment: ArraySlice<UInt8>, as placeholder: Placeholder) -> Bool {
        guard !segment.isEmpty else { return false }
        switch placeholder {
        case .identity: return identity.map { segment.elementsEqual($0) } ?? false
        case .group: return groups.contains { segment.elementsEqual($0) }
        case .claim(let name): return claims.contains { $0.name == name && segment.elementsEqual($0.value) }
        }
    }
}
