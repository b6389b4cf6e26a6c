/// Collects the errors in one file, so that one run reports all of them.
package final class ConfigurationErrorCollector {
    private var found: [ConfigurationError] = []

    /// Whether no error has been collected.
    package var isEmpty: Bool { found.isEmpty }

    /// The error added last.
    var last: ConfigurationError? { found.last }

    /// Adds an error and its further errors, except those already collected.
    package func add(_ error: ConfigurationError) {
        for mistake in error.mistakes where !found.contains(mistake) { found.append(mistake) }
    }

    /// Calls `read` and collects its error, so that the caller can continue with other nodes.
    ///
    /// - Returns: the result of `read`, or nil after an error.
    package func collect<Value>(at node: ConfigurationNode, _ read: (ConfigurationNode) throws -> Value) -> Value? {
        do {
            return try read(node)
        } catch let error as ConfigurationError {
            add(error)
        } catch {
            add(node.error("\(error)"))
        }
        return nil
    }

    /// Throws the collected errors, if any.
    ///
    /// - Throws: the first error in the order of the file, with the others in `further`.
    package func check() throws(ConfigurationError) {
        let sorted = found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        guard let first = sorted.first else { return }
        throw ConfigurationError(first.position, first.message, further: Array(sorted.dropFirst()))
    }
}
