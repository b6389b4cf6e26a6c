/// Suggestions for misspelled words in error messages.
package enum Suggestion {
    /// Returns `; did you mean X?` with the most similar known word, or an empty string if no known word is similar.
    package static func text(for word: String, among known: [String]) -> String {
        text(nearest(to: word, among: known))
    }

    /// Returns `; did you mean X?`, or an empty string for nil.
    package static func text(_ suggestion: String?) -> String {
        suggestion.map { "; did you mean `\($0)`?" } ?? ""
    }

    /// Returns the most similar known word if at most a third of its letters differ, ignoring case.
    package static func nearest(to word: String, among known: [String]) -> String? {
        let given = Array(word.unicodeScalars)
        let word = Array(word.lowercased().unicodeScalars)
        // Limits the time for the comparison. All known words are shorter.
        guard word.count <= 64 else { return nil }
        let distances = known.map { (name: $0, distance: distance(word, Array($0.lowercased().unicodeScalars))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        let isSimilar = best.distance <= max(1, best.name.count / 3) && best.distance < best.name.count
        return isSimilar && Array(best.name.unicodeScalars) != given ? best.name : nil
    }

    /// Returns the optimal string alignment distance: the number of insertions, deletions, substitutions and
    /// transpositions between two words.
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
