import ConfigurationReading

extension AccessPolicyBuilder {
    /// Denials of `write` that leave `multipart`, the other way to upload, open.
    mutating func warnAboutOpenUploads(
        in store: Int, _ trie: RuleTrie, _ rules: [AccessRule], _ denials: [AccessPolicy.Denial]
    ) {
        let depth = rules.map(\.template.segments.count).max() ?? 0
        let (write, multipart) = (AccessActionSet(.write), AccessActionSet(.multipart))
        for denial in denials where denial.actions.contains(write) && !denial.actions.contains(multipart) {
            // A denial without `store` stands in every store.
            guard !warnings.contains(where: { $0.position == denial.reference.position }) else { continue }
            let open = rules.enumerated().first { number, rule in
                rule.grants.contains { $0.actions.contains(multipart) }
                    && Self.keys(of: rule.template, in: denial.pattern, depth).contains { key in
                        trie.rule(for: key, in: store) == number
                            && !denials.contains { $0.actions.contains(multipart) && $0.pattern.matches(key) }
                    }
            }
            guard let open else { continue }
            warn(
                SourceText(denial.reference.pattern, at: denial.reference.position),
                "`\(denial.reference.pattern)` denies `write` but not `multipart`, which \(open.element.reference) "
                    + "grants there; add `multipart` to `actions`")
        }
    }

    /// Keys that both match, at most one for each number of segments: further segments change no decision.
    ///
    /// - Parameter depth: segments of the longest rule.
    private static func keys(of template: PathTemplate, in pattern: DenyPattern, _ depth: Int) -> [[UInt8]] {
        // No segment of a rule holds a control character.
        let free: [UInt8] = [0]
        let lengths = template.segments.last == .rest ? 1...(max(pattern.segments.count, depth) + 1) : 0...0
        return lengths.compactMap { pattern.commonKey(with: template, rest: $0, free: free) }
    }

    /// A size or a checksum beside `multipart`, which neither holds for.
    ///
    /// - Parameter limits: of the grant, the rule's included.
    mutating func warnAboutMultipart(_ limits: AccessConstraints, of place: SourceText, actions: AccessActionSet) {
        guard limits.boundsContent, actions.contains(.init(.multipart)) else { return }
        let names = [limits.maximumSize.map { _ in "`maxSize`" }, limits.checksum.map { _ in "`checksum`" }]
        warn(
            place,
            "`\(place.text)` can exceed \(names.compactMap(\.self).joined(separator: " and ")) by `multipart`, which "
                + "cannot be limited; remove `multipart`, or grant it in a rule without these limits")
    }

    /// Limits on reading that nothing is held to.
    mutating func warnAboutReadLimits(_ limits: AccessConstraints, of place: SourceText, actions: AccessActionSet) {
        guard limits.overrides != nil, !actions.contains(.init(.get)) else { return }
        warn(place, "`\(place.text)` has `overrides`, a limit on `get`, but may not get")
    }
}
