/// What a word that is unknown was probably meant to be.
package enum Suggestion {
    /// `; did you mean X?`, or nothing when no known word is near.
    package static func text(for word: String, among known: [String]) -> String {
        text(nearest(to: word, among: known))
    }

    /// `; did you mean X?`, or nothing.
    package static func text(_ meant: String?) -> String {
        meant.map { "; did you mean `\($0)`?" } ?? ""
    }

    /// The known word that differs least, by a third of its letters at most; case does not count.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let given = Array(word.lowercased().unicodeScalars)
        // A word of the configuration is short; what is longer is no typing error.
        guard given.count <= 64 else { return nil }
        let distances = known.map { (name: $0, distance: distance(given, Array($0.lowercased().unicodeScalars))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, best.name.count / 3) && best.distance < best.name.count ? best.name : nil
    }

    /// Insertions, removals, replacements, and swaps of neighbours from one to the other (optimal string alignment).
    package static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
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
