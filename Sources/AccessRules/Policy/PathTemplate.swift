import ConfigurationReading

/// What a placeholder of a template is compared with.
package enum Placeholder: Hashable, Sendable {
    /// `{identity}`: the caller's identity.
    case identity
    /// `{group}`: any of the caller's groups.
    case group
    /// `{claim.NAME}`: the caller's claim of that name.
    case claim([UInt8])

    /// The placeholder a word in braces stands for, braces included; nil for any other text.
    package init?(_ text: some Collection<UInt8>) {
        let claim = "{claim.".utf8
        if text.elementsEqual("{identity}".utf8) {
            self = .identity
        } else if text.elementsEqual("{group}".utf8) {
            self = .group
        } else if text.starts(with: claim), text.count > claim.count + 1, text.suffix(1).elementsEqual("}".utf8) {
            let name = text.dropFirst(claim.count).dropLast()
            if name.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) { return nil }
            self = .claim(Array(name))
        } else {
            return nil
        }
    }
}

/// The path of a rule: segments that a key is compared with, byte by byte and case-sensitive.
package struct PathTemplate: Sendable {
    /// One segment, most specific kind first.
    package enum Segment: Hashable, Sendable {
        /// Exactly these bytes.
        case literal([UInt8])
        /// Any one segment, captured.
        case placeholder(Placeholder)
        /// `*`: any one segment.
        case any
        /// `**`: one or more segments; only at the end.
        case rest
    }

    /// What is wrong with a template, and the mend.
    package struct Mistake: Error {
        package let message: String

        package init(_ message: String) { self.message = message }
    }

    package let segments: [Segment]

    /// The placeholders in order.
    package var placeholders: [Placeholder] {
        segments.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// Whether a checked key matches; to explain a decision, which the trie makes without it.
    package func matches(_ key: [UInt8]) -> Bool {
        let parts = key.split(separator: UInt8(ascii: "/"))
        guard segments.last == .rest ? parts.count >= segments.count : parts.count == segments.count else {
            return false
        }
        return zip(segments, parts).allSatisfy { segment, part in
            if case .literal(let bytes) = segment { part.elementsEqual(bytes) } else { true }
        }
    }

    package init(parsing text: String) throws(Mistake) {
        let bytes = Array(text.utf8)
        if let refusal = ObjectKeyCheck.refusal(of: bytes) {
            throw Mistake("can never match, because \(refusal.description). \(refusal.recoverySuggestion)")
        }
        let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var segments: [Segment] = []
        for part in parts { segments.append(try Self.segment(part)) }
        guard !segments.dropLast().contains(.rest) else {
            throw Mistake("has `**` before its end; in a rule `**` may only be the last segment")
        }
        self.segments = segments
    }

    private static func segment(_ part: ArraySlice<UInt8>) throws(Mistake) -> Segment {
        if part.elementsEqual("*".utf8) { return .any }
        if part.elementsEqual("**".utf8) { return .rest }
        if let placeholder = Placeholder(part) { return .placeholder(placeholder) }
        let text = String(decoding: part, as: UTF8.self)
        if let meant = Placeholder.suggestion(for: text) {
            throw Mistake(
                "has the unknown placeholder `\(text)`; there are {identity}, {group} and {claim.NAME}"
                    + Suggestion.text(meant))
        }
        if part.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            throw Mistake(
                "has the segment `\(text)`; a placeholder is a whole segment: {identity}, {group} or {claim.NAME}")
        }
        if part.contains(UInt8(ascii: "*")) {
            throw Mistake("has the segment `\(text)`; a wildcard is a whole segment: `*` or `**`")
        }
        return .literal(Array(part))
    }
}
