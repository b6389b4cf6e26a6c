extension DenyPattern {
    /// A key that both this pattern and the template match; nil if no key matches both.
    ///
    /// - Parameters:
    ///   - template: The template of a rule.
    ///   - rest: The number of segments for the template's `**`; ignored without one.
    ///   - free: The segment to use for a wildcard; no rule may contain it.
    func commonKey(with template: PathTemplate, rest: Int, free: [UInt8]) -> [UInt8]? {
        var parts: [[UInt8]?] = template.segments.filter { $0 != .rest }.map { segment in
            if case .literal(let bytes) = segment { bytes } else { nil }
        }
        if template.segments.last == .rest { parts += Array(repeating: nil, count: rest) }
        var search = OverlapSearch(pattern: segments, template: parts, free: free)
        return search.key(0, 0).map { Array($0.joined(separator: [UInt8(ascii: "/")])) }
    }
}

/// Searches for segments that a pattern and a template of fixed length both match.
private struct OverlapSearch {
    private struct Position: Hashable {
        let pattern, template: Int
    }

    let pattern: [DenyPattern.Segment]
    /// Literals; nil for any one segment.
    let template: [[UInt8]?]
    let free: [UInt8]
    /// The positions where the search has failed. They bound its time by the product of both lengths.
    private var failed: Set<Position> = []

    init(pattern: [DenyPattern.Segment], template: [[UInt8]?], free: [UInt8]) {
        self.pattern = pattern
        self.template = template
        self.free = free
    }

    /// The segments from these two indices on; nil if the rest cannot match.
    mutating func key(_ index: Int, _ segment: Int) -> [[UInt8]]? {
        guard index < pattern.count else { return segment == template.count ? [] : nil }
        let position = Position(pattern: index, template: segment)
        guard !failed.contains(position) else { return nil }
        let found: [[UInt8]]?
        switch pattern[index] {
        case .rest where index == pattern.count - 1:
            found = segment < template.count ? template[segment...].map { $0 ?? free } : nil
        case .rest: found = key(index + 1, segment) ?? key(index, segment + 1, after: nil, segment)
        case .glob(let glob): found = key(index + 1, segment + 1, after: glob, segment)
        }
        if found == nil { failed.insert(position) }
        return found
    }

    /// The segments from `segment` on: one that matches the glob, if there is one, then those from `index` and `next`
    /// on.
    private mutating func key(_ index: Int, _ next: Int, after glob: [UInt8]?, _ segment: Int) -> [[UInt8]]? {
        guard segment < template.count, let first = part(segment, glob), let others = key(index, next) else {
            return nil
        }
        return [first] + others
    }

    private func part(_ segment: Int, _ glob: [UInt8]?) -> [UInt8]? {
        guard let glob else { return template[segment] ?? free }
        guard let literal = template[segment] else { return glob.flatMap { $0 == UInt8(ascii: "*") ? free : [$0] } }
        return DenyPattern.glob(glob, matches: literal.span) ? literal : nil
    }
}
