import DataFormats
package import Requests
import Text

/// A placeholder of a template, named after the caller's value that a segment is compared with.
package enum Placeholder: Hashable, Sendable {
    /// `{identity}`: the caller's identity.
    case identity
    /// `{group}`: any of the caller's groups.
    case group
    /// `{claim.NAME}`: the caller's claim of that name.
    case claim([UInt8])

    /// The placeholder for a text such as `{group}`; nil for any other text.
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

/// The path of a rule. Keys are compared with its segments byte by byte, case-sensitively.
package struct PathTemplate: Sendable {
    /// One segment; the most specific kind is declared first.
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

    /// What is wrong with a template, and the fix.
    package struct Mistake: Error {
        /// A clause whose subject is the path, such as "has `**` before its end; …".
        package let message: String

        package init(_ message: String) { self.message = message }
    }

    package let segments: [Segment]

    /// The placeholders in the order of their segments.
    package var placeholders: [Placeholder] {
        segments.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
    }

    /// Whether a validated key matches. For explanations; decisions use `RuleTrie`.
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
            throw Mistake("has `**` before its end; in a rule `**` must be the last segment")
        }
        self.segments = segments
    }

    private static func segment(_ part: ArraySlice<UInt8>) throws(Mistake) -> Segment {
        if part.elementsEqual("*".utf8) { return .any }
        if part.elementsEqual("**".utf8) { return .rest }
        if let placeholder = Placeholder(part) { return .placeholder(placeholder) }
        let text = String(decoding: part, as: UTF8.self)
        if let suggestion = Placeholder.suggestion(for: text) {
            throw Mistake(
                "has the unknown placeholder \(text.quoted); use {identity}, {group} or {claim.NAME}"
                    + Suggestion.text(suggestion))
        }
        if part.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
            throw Mistake(
                "has the segment \(text.quoted); a placeholder must be a whole segment: {identity}, {group} or {claim.NAME}"
            )
        }
        if part.contains(UInt8(ascii: "*")) {
            throw Mistake("has the segment \(text.quoted); a wildcard must be a whole segment: `*` or `**`")
        }
        return .literal(Array(part))
    }

    /// Whether the caller owns every segment that the placeholders capture. False without such placeholders.
    ///
    /// - Parameters:
    ///   - wanted: The placeholder to consider; nil for all placeholders.
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
        case .group: return isMember(of: segment)
        case .claim(let name): return claims.contains { $0.name == name && segment.equals($0.value) }
        }
    }
}
