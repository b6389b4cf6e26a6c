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
