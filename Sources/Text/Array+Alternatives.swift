extension [String] {
    /// The elements as a list for a message: `a`, `a or b`, `a, b or c`.
    package var alternatives: String {
        guard let last, count > 1 else { return joined() }
        return dropLast().joined(separator: ", ") + " or " + last
    }
}
