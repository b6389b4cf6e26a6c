package import DataFormats

/// Where a claim stands: a name at the top, or names from there down through objects.
///
/// Names hold dots, colons and whole URLs, so a path is never cut out of one text.
package struct ClaimPath: Sendable, Equatable {
    /// At least one, bytes in UTF-8.
    package let names: [[UInt8]]

    package init(_ names: [String]) {
        self.names = names.map { Array($0.utf8) }
    }

    /// What stands there; nil when there is nothing.
    package func value(in claims: JSONValue) -> JSONValue? {
        var value = claims
        for name in names {
            guard case .object(let members) = value, let member = members.first(where: { $0.name == name }) else {
                return nil
            }
            value = member.value
        }
        return value
    }

    /// The text there; nil for nothing, for any other value, and for an empty text, which would match too much.
    package func text(in claims: JSONValue) -> [UInt8]? {
        guard let text = value(in: claims)?.string, !text.isEmpty else { return nil }
        return text
    }

    /// The texts there: those of an array, or a single one. Whatever else an array holds is left out.
    package func texts(in claims: JSONValue) -> [[UInt8]] {
        switch value(in: claims) {
        case .string(let text): text.isEmpty ? [] : [text]
        case .array(let items): items.compactMap(\.string).filter { !$0.isEmpty }
        default: []
        }
    }
}
