/// A position in a configuration file. As in editors, lines and columns start at 1.
package struct SourcePosition: Equatable, Sendable, CustomStringConvertible {
    /// The path of the file as the operator specified it.
    package let file: String
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int

    /// Creates a position. Line and column start at 1.
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, the format that terminals and editors turn into a link.
    package var description: String { "\(file):\(line):\(column)" }
}

/// An error in the configuration: its position, the problem and the fix.
///
/// The message never quotes a value that may be a secret.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The position of the error.
    package let position: SourcePosition
    /// The problem and the fix in one line.
    package let message: String
    /// The other errors in the same file.
    package let further: [ConfigurationError]

    /// - Parameters:
    ///   - message: the problem and the fix in one line.
    ///   - further: the other errors in the same file.
    package init(_ position: SourcePosition, _ message: String, further: [ConfigurationError] = []) {
        self.position = position
        self.message = message
        self.further = further
    }

    /// The path of the file.
    package var file: String { position.file }
    /// The line, from 1.
    package var line: Int { position.line }
    /// The column, from 1.
    package var column: Int { position.column }

    /// This error and all further ones as a flat list. Never empty.
    package var mistakes: [ConfigurationError] {
        [ConfigurationError(position, message)] + further.flatMap(\.mistakes)
    }

    /// `file:line:column: message`, one line for each error.
    package var description: String {
        further.reduce(into: "\(position): \(message)") { $0 += "\n\($1)" }
    }
}

/// Collects the errors in one file, so that one run reports all of them.
package final class ConfigurationErrorCollector {
    private var found: [ConfigurationError] = []

    /// Whether no error has been collected.
    package var isEmpty: Bool { found.isEmpty }

    /// The number of errors collected so far.
    package var count: Int { found.count }

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
