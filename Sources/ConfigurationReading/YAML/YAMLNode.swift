/// A position in a YAML document.
package struct YAMLPosition: Sendable, Equatable, CustomStringConvertible {
    /// The line, from 1.
    package let line: Int
    /// The column in Unicode scalars, from 1.
    package let column: Int

    /// Creates a position. Line and column start at 1.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}

/// A node of a YAML document with its position.
package struct YAMLNode: Sendable, Equatable {
    /// The content of a node.
    package enum Content: Sendable, Equatable {
        /// The text of a scalar. A plain scalar can be a number, a boolean or null, a quoted one is always text.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The members in the order of the file. The bytes of the keys are unique.
        case mapping([(key: YAMLNode, value: YAMLNode)])

        /// Returns whether two contents are equal byte by byte. Positions are ignored.
        package static func == (left: Content, right: Content) -> Bool {
            switch (left, right) {
            case (.scalar(let one, let isPlain), .scalar(let other, let otherIsPlain)):
                one.utf8.elementsEqual(other.utf8) && isPlain == otherIsPlain
            case (.sequence(let one), .sequence(let other)): one == other
            case (.mapping(let one), .mapping(let other)): one.elementsEqual(other, by: ==)
            default: false
            }
        }
    }

    /// The content of the node.
    package let content: Content
    /// The position where the node begins.
    package let position: YAMLPosition

    /// Creates a node with content and position.
    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }
}

/// A syntax error in a YAML document.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The problem and the fix.
    package let message: String
    /// The position of the error.
    package let position: YAMLPosition

    /// Creates an error with message and position.
    package init(_ message: String, at position: YAMLPosition) {
        self.message = message
        self.position = position
    }

    /// `line:column: message`.
    package var description: String { "\(position): \(message)" }
}
