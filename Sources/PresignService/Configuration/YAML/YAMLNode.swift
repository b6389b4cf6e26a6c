/// A place in a configuration file: line and column, both from 1, the column in Unicode scalars.
package struct YAMLPosition: Sendable, Equatable, CustomStringConvertible {
    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    package var description: String { "\(line):\(column)" }
}

/// One node of a YAML document, with the place where it stands.
package struct YAMLNode: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        /// A scalar's text. Only a plain one may stand for a number, a boolean or null; a quoted one is a text.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        /// The members in the order of the file; keys are unique by their bytes.
        case mapping([(key: YAMLNode, value: YAMLNode)])

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

    package let content: Content
    package let position: YAMLPosition

    package init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }
}

/// Why a document was refused, and where.
package struct YAMLError: Error, Sendable, Equatable, CustomStringConvertible {
    package let message: String
    package let position: YAMLPosition

    package init(_ message: String, at position: YAMLPosition) {
        self.message = message
        self.position = position
    }

    package var description: String { "\(position): \(message)" }
}
