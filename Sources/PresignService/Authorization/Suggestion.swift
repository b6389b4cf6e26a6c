/// What a word that is unknown was probably meant to be.
enum Suggestion {
    /// `; did you mean X?`, or nothing when no known word is near.
    static func text(for word: String, among known: [String]) -> String {
        text(nearest(to: word, among: known))
    }

    /// `; did you mean X?`, or nothing.
    static func text(_ meant: String?) -> String {
        meant.map { "; did you mean `\($0)`?" } ?? ""
    }

    /// The known word that differs least, by a third of its letters at most; case does not count.
    static func nearest(to word: String, among known: [String]) -> String? {
        let given = Array(word.lowercased().unicodeScalars)
        // A word of the configuration is short; what is longer is no typing error.
        guard given.count <= 64 else { return nil }
        let distances = known.map { (name: $0, distance: distance(given, Array($0.lowercased().unicodeScalars))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) && best.distance < best.name.count ? best.name : nil
    }

    /// Insertions, removals, replacements, and swaps of neighbours from one to the other (optimal string alignment).
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var (before, row) = ([Int](), Array(0...right.count))
        for index in left.indices {
            var next = [index + 1]
            for column in right.indices {
                let replaced = row[column] + (left[index] == right[column] ? 0 : 1)
                var least = min(replaced, row[column + 1] + 1, next[column] + 1)
                if index > 0, column > 0, left[index] == right[column - 1], left[index - 1] == right[column] {
                    least = min(least, before[column - 1] + 1)
                }
                next.append(least)
            }
            (before, row) = (row, next)
        }
        return row[right.count]
    }
}

extension Grantee {
    /// The grantee that an unknown name was probably meant to be.
    static func suggestion(for name: String) -> String? {
        if let meant = Placeholder.suggestion(for: name) { return meant }
        if let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")), name.utf8.index(after: colon) < name.utf8.endIndex {
            let kind = name[..<colon].lowercased()
            let rest = name[colon...]
            if ["group", "groups", "role", "team"].contains(kind) { return "group\(rest)" }
            if ["caller", "callers", "key", "apikey", "api-key", "client"].contains(kind) { return "caller\(rest)" }
        }
        let synonyms = [
            "all": "everyone", "anyone": "everyone", "everybody": "everyone", "public": "everyone", "*": "everyone",
            "anonymous": "guest", "unauthenticated": "guest", "user": "authenticated", "users": "authenticated",
            "signed-in": "authenticated", "self": "owner", "entity": "owner", "identity": "owner",
        ]
        return synonyms[name.lowercased()]
            ?? Suggestion.nearest(to: name, among: ["everyone", "guest", "authenticated", "owner"])
    }
}

extension Placeholder {
    /// The placeholder that an unknown word in braces was probably meant to be; nil for any other text.
    static func suggestion(for text: String) -> String? {
        guard text.utf8.first == UInt8(ascii: "{"), text.utf8.last == UInt8(ascii: "}") else { return nil }
        let word = String(text.dropFirst().dropLast())
        guard !word.utf8.isEmpty, word.utf8.last != UInt8(ascii: "."),
            !word.utf8.contains(where: { "{}*".utf8.contains($0) })
        else { return nil }
        let synonyms = [
            "sub": "{identity}", "user": "{identity}", "userid": "{identity}", "user_id": "{identity}",
            "entity_id": "{identity}", "identityid": "{identity}", "team": "{group}",
        ]
        if let meant = synonyms[word.lowercased()] { return meant }
        if let meant = Suggestion.nearest(to: word, among: ["identity", "group"]) { return "{\(meant)}" }
        let name = word.split(separator: ".", maxSplits: 1).last.map(String.init) ?? word
        return "{claim.\(name)}"
    }
}

extension AccessActionSet {
    /// The action that an unknown word was probably meant to be.
    static func suggestion(for name: String) -> String? {
        let synonyms = [
            "put": "write", "upload": "write", "create": "write", "post": "write", "head": "get", "download": "get",
            "remove": "delete", "rm": "delete",
        ]
        return synonyms[name.lowercased()]
            ?? Suggestion.nearest(to: name, among: AccessAction.allCases.map(\.name) + ["read"])
    }
}
