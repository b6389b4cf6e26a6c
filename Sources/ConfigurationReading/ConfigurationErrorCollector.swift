/// The mistakes found while one file is read, so that one run reports all of them.
package final class ConfigurationErrorCollector {
    private var found: [ConfigurationError] = []

    /// Whether none was found yet.
    var isEmpty: Bool { found.isEmpty }

    /// Adds a mistake and those that came with it, each once.
    package func add(_ error: ConfigurationError) {
        for mistake in error.mistakes where !found.contains(mistake) { found.append(mistake) }
    }

    /// Runs one part of the reading. A mistake that ends it is added, and the caller goes on with the next part.
    ///
    /// - Returns: nil after a mistake.
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

    /// - Throws: the first mistake in the order of the file, with all others in its `further`.
    package func check() throws(ConfigurationError) {
        let sorted = found.sorted { ($0.line, $0.column) < ($1.line, $1.column) }
        guard let first = sorted.first else { return }
        throw ConfigurationError(first.position, first.message, further: Array(sorted.dropFirst()))
    }
}
