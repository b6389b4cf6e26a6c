/// A place in a configuration file: line and column, both from 1, the column in Unicode scalars.
package struct YAMLPosition: Sendable, Equatable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int

    /// A place; both numbers from 1.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// `line:column`.
    package var description: String { "\(line):\(column)" }
}

/// One node of a YAML document, with the place where it stands.
package struct YAMLNode: Sendable, Equatable {
    /// What a node holds.
    package enum Content: Sendable, Equatable {
        /// A scalar's text. Only a plain one may stand for a number, a boolean or null; a quoted one is a text.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The members in the order of the file; keys are unique by their bytes.
        case mapping([(key: YAMLNode, value: YAMLNode)])

        /// Compares bytes, never Strings, and leaves positions aside.
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

    /// What the node holds.
    package let content: Content
    /// Where it begins.
    package let position: YAMLPosition

    /// A node of this content.
    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }
}

/// Why a document was refused, and where.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and how to mend it.
    package let message: String
    /// Where.
    package let position: YAMLPosition

    /// A refusal at a place.
    package init(_ message: String, at position: YAMLPosition) {
        self.message = message
        self.position = position
    }

    /// `line:column: message`.
    package var description: String { "\(position): \(message)" }
}
