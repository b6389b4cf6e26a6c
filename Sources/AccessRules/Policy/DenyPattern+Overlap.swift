extension DenyPattern {
    /// A key that both this pattern and the template match; nil if they share none with `rest` segments for `**`.
    ///
    /// - Parameters:
    ///   - template: of a rule.
    ///   - rest: how many segments its `**` stands for; ignored without one.
    ///   - free: what stands for a wildcard, a segment that no rule names.
    func commonKey(with template: PathTemplate, rest: Int, free: [UInt8]) -> [UInt8]? {
        var parts: [[UInt8]?] = template.segments.filter { $0 != .rest }.map { segment in
            if case .literal(let bytes) = segment { bytes } else { nil }
        }
        if template.segments.last == .rest { parts += Array(repeating: nil, count: rest) }
        var search = OverlapSearch(pattern: segments, template: parts, free: free)
        return search.key(0, 0).map { Array($0.joined(separator: [UInt8(ascii: "/")])) }
    }
}

/// Looks for a list of segments that a pattern and a template of fixed length both match.
private struct OverlapSearch {
    private struct Place: Hashable {
        let pattern, template: Int
    }

    let pattern: [DenyPattern.Segment]
    /// Literals, and nil for any one segment.
    let template: [[UInt8]?]
    let free: [UInt8]
    /// Where the search has failed, so that its time is bounded by the product of both lengths.
    private var failed: Set<Place> = []

    init(pattern: [DenyPattern.Segment], template: [[UInt8]?], free: [UInt8]) {
        self.pattern = pattern
        self.template = template
        self.free = free
    }

    /// The segments from these two positions on; nil if the rest cannot match.
    mutating func key(_ index: Int, _ segment: Int) -> [[UInt8]]? {
        guard index < pattern.count else { return segment == template.count ? [] : nil }
        let place = Place(pattern: index, template: segment)
        guard !failed.contains(place) else { return nil }
        let found: [[UInt8]]?
        switch pattern[index] {
        case .rest where index == pattern.count - 1:
            found = segment < template.count ? template[segment...].map { $0 ?? free } : nil
        case .rest: found = key(index + 1, segment) ?? key(index, segment + 1, after: nil, segment)
        case .glob(let glob): found = key(index + 1, segment + 1, after: glob, segment)
        }
        if found == nil { failed.insert(place) }
        return found
    }

    /// The same behind one more segment, which a glob has to match.
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
