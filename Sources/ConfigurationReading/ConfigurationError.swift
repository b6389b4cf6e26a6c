/// A place in a configuration file, as editors count: line and column start at 1.
package struct SourcePosition: Equatable, Sendable, CustomStringConvertible {
    /// Name of the file as the operator gave it.
    package let file: String
    /// Line, from 1.
    package let line: Int
    /// Column in Unicode scalars, from 1.
    package let column: Int

    /// - Parameters:
    ///   - file: name of the file as the operator gave it
    ///   - line: from 1
    ///   - column: from 1
    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// `file:line:column`, the form terminals and editors turn into a link.
    package var description: String { "\(file):\(line):\(column)" }
}

/// A mistake in the configuration: where it stands, what is wrong and how to mend it.
///
/// The message never repeats a value that might be a secret.
package struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Where the mistake stands.
    package let position: SourcePosition
    /// What is wrong, and the mend, in one line.
    package let message: String
    /// Mistakes found in the same reading, so that one run shows them all.
    package let further: [ConfigurationError]

    /// - Parameters:
    ///   - position: where the mistake stands
    ///   - message: what is wrong, and the mend, in one line
    ///   - further: mistakes found in the same reading
    package init(_ position: SourcePosition, _ message: String, further: [ConfigurationError] = []) {
        self.position = position
        self.message = message
        self.further = further
    }

    /// Name of the file.
    package var file: String { position.file }
    /// Line, from 1.
    package var line: Int { position.line }
    /// Column, from 1.
    package var column: Int { position.column }

    /// This mistake and all further ones, each without further ones; never empty.
    package var mistakes: [ConfigurationError] {
        [ConfigurationError(position, message)] + further.flatMap(\.mistakes)
    }

    /// `file:line:column: message`, one line for each mistake.
    package var description: String {
        further.reduce(into: "\(position): \(message)") { $0 += "\n\($1)" }
    }
}
