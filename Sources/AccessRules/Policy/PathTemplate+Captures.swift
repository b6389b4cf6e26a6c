import Text

extension PathTemplate {
    /// Whether the caller owns every segment that the placeholders capture. False without such placeholders.
    ///
    /// - Parameters:
    ///   - wanted: The placeholder to consider; nil for all placeholders.
    ///   - caller: The caller.
    ///   - key: A key that this template matches.
    func captures(_ wanted: Placeholder?, of caller: Caller, in key: [UInt8]) -> Bool {
        var isFound = false
        let foreign = firstCapture(in: key) { placeholder, segment in
            guard wanted == nil || wanted == placeholder else { return false }
            isFound = true
            return !caller.owns(segment, as: placeholder)
        }
        return isFound && foreign == nil
    }

    /// The first captured segment that the caller does not own; it explains why `captures` is false.
    package func foreignCapture(
        _ wanted: Placeholder?, of caller: Caller, in key: [UInt8]
    ) -> (placeholder: Placeholder, segment: ArraySlice<UInt8>)? {
        firstCapture(in: key) { placeholder, segment in
            (wanted == nil || wanted == placeholder) && !caller.owns(segment, as: placeholder)
        }
    }

    /// The first captured segment that satisfies the closure.
    package func firstCapture(
        in key: [UInt8], where isWanted: (Placeholder, Span<UInt8>) -> Bool
    ) -> (placeholder: Placeholder, segment: ArraySlice<UInt8>)? {
        let span = key.span
        var start = 0
        for index in segments.indices {
            let end = span.position(of: UInt8(ascii: "/"), from: start)
            if case .placeholder(let placeholder) = segments[index],
                isWanted(placeholder, span.extracting(start..<end))
            {
                return (placeholder, key[start..<end])
            }
            start = min(end + 1, key.count)
        }
        return nil
    }
}

extension Caller {
    /// Whether a captured segment equals this caller's own value, compared as bytes. Segments are never empty and
    /// contain no slash, so a value that is empty or contains a slash owns no segment.
    fileprivate func owns(_ segment: Span<UInt8>, as placeholder: Placeholder) -> Bool {
        guard !segment.isEmpty else { return false }
        switch placeholder {
        case .identity: return identity.map { segment.equals($0) } ?? false
        case .group: return groups.contains { segment.equals($0) }
        case .claim(let name): return claims.contains { $0.name == name && segment.equals($0.value) }
        }
    }
}
