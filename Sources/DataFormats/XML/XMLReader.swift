import Text

/// A strict parser for the small XML documents of AWS protocols: elements, text, the five predefined entities and
/// character references.
///
/// It rejects everything else: document types (and with them entity expansion), processing instructions, comments,
/// CDATA sections, namespace prefixes, and mixed content. Attributes are ignored.
package struct XMLReader {
    /// The document is not well-formed or not in the supported subset.
    package struct Failure: Error {}

    private static let maximumDepth = 8
    /// The maximum number of elements of a document: the pages of S3 have 1000 entries of up to 20. An element takes
    /// about 40 times the memory of its four bytes.
    package static let maximumElements = 20_000
    /// The maximum number of elements in a child of the root of a document that is read child by child.
    package static let maximumElementsInChild = 32

    private let bytes: [UInt8]
    private var index = 0
    /// The number of elements that may still come.
    private var elements: Int
    private let rootName: [UInt8]
    /// Whether the root may have more children.
    private var hasMore = false

    /// Returns the root element of a document of at most ``maximumElements``.
    package static func root(of bytes: [UInt8]) throws(Failure) -> XMLElement {
        var reader = try XMLReader(bytes, elements: maximumElements)
        let root = try reader.element(depth: 1)
        try reader.end()
        return root
    }

    /// Begins a document of any number of elements, which `nextChild` returns piece by piece.
    ///
    /// - Parameter name: the name that the root must have.
    package init(_ bytes: [UInt8], root name: String) throws(Failure) {
        try self.init(bytes, elements: 0, root: name)
        guard take("<"), try self.name() == rootName else { throw Failure() }
        hasMore = try attributes()
    }

    private init(_ bytes: [UInt8], elements: Int, root name: String = "") throws(Failure) {
        guard (try? UTF8Span(validating: bytes.span)) != nil else { throw Failure() }
        (self.bytes, self.elements, rootName) = (bytes, elements, Array(name.utf8))
        try skipDeclaration()
        skipSpace()
    }

    /// Returns the next child of the root, of at most ``maximumElementsInChild``; nil after the end of the document.
    package mutating func nextChild() throws(Failure) -> XMLElement? {
        if hasMore {
            guard try text().allSatisfy(ASCII.isWhitespace) else { throw Failure() }
            guard take("</") else {
                elements = Self.maximumElementsInChild
                return try element(depth: 2)
            }
            try endTag(of: rootName)
            hasMore = false
        }
        try end()
        return nil
    }

    /// Throws unless only white space follows.
    private mutating func end() throws(Failure) {
        skipSpace()
        guard index == bytes.count else { throw Failure() }
    }

    private mutating func skipDeclaration() throws(Failure) {
        _ = take("\u{FEFF}")
        guard take("<?xml") else { return }
        guard let next, ASCII.isWhitespace(next), let end = bytes[index...].firstIndex(of: UInt8(ascii: ">")),
            bytes[end - 1] == UInt8(ascii: "?")
        else { throw Failure() }
        index = end + 1
    }

    private mutating func element(depth: Int) throws(Failure) -> XMLElement {
        elements -= 1
        guard elements >= 0, depth <= Self.maximumDepth, take("<") else { throw Failure() }
        var element = XMLElement(name: try name())
        guard try attributes() else { return element }
        while true {
            let text = try text()
            element.text += text
            if take("</") {
                try endTag(of: element.name)
                break
            }
            element.children.append(try self.element(depth: depth + 1))
        }
        if !element.children.isEmpty {
            guard element.text.allSatisfy(ASCII.isWhitespace) else { throw Failure() }
            element.text = []
        }
        return element
    }

    /// Reads the rest of an end tag.
    private mutating func endTag(of name: [UInt8]) throws(Failure) {
        guard try self.name() == name else { throw Failure() }
        skipSpace()
        guard take(">") else { throw Failure() }
    }

    /// Skips the attributes and the end of the tag. Returns false if the tag is self-closing.
    private mutating func attributes() throws(Failure) -> Bool {
        while true {
            let start = index
            skipSpace()
            if take(">") { return true }
            if take("/>") { return false }
            guard index > start else { throw Failure() }
            _ = try name(allowsPrefix: true)
            skipSpace()
            guard take("=") else { throw Failure() }
            skipSpace()
            guard let quote = next, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = bytes[(index + 1)...].firstIndex(of: quote),
                !bytes[index..<end].contains(UInt8(ascii: "<"))
            else { throw Failure() }
            index = end + 1
        }
    }

    private mutating func name(allowsPrefix: Bool = false) throws(Failure) -> [UInt8] {
        let start = index
        while let byte = next {
            let isLetter = ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
            let isOther = ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            guard isLetter || (index > start && (isOther || (allowsPrefix && byte == UInt8(ascii: ":")))) else { break }
            index += 1
        }
        guard index > start else { throw Failure() }
        return Array(bytes[start..<index])
    }

    /// Reads text up to the next `<` and replaces references.
    private mutating func text() throws(Failure) -> [UInt8] {
        var text: [UInt8] = []
        while let byte = next, byte != UInt8(ascii: "<") {
            if byte == UInt8(ascii: "&") {
                text += try reference()
            } else {
                guard byte >= 0x20 || ASCII.isWhitespace(byte) else { throw Failure() }
                text.append(byte)
                index += 1
            }
        }
        guard next != nil else { throw Failure() }
        return text
    }

    private mutating func reference() throws(Failure) -> [UInt8] {
        // The longest reference is &#x10FFFF;
        guard let end = bytes[index...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { throw Failure() }
        let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
        index = end + 1
        switch name {
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "amp": return [UInt8(ascii: "&")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default: break
        }
        guard name.first == "#" else { throw Failure() }
        let isHexadecimal = name.dropFirst().first == "x"
        let digits = name.dropFirst(isHexadecimal ? 2 : 1)
        // UInt32.init also accepts a sign.
        guard digits.first != "+", digits.first != "-",
            let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init),
            scalar.value >= 0x20 || [9, 10, 13].contains(scalar.value)
        else { throw Failure() }
        return Array(String(scalar).utf8)
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[index...].starts(with: text.utf8) else { return false }
        index += text.utf8.count
        return true
    }

    private mutating func skipSpace() {
        while let next, ASCII.isWhitespace(next) { index += 1 }
    }
}

/// An XML element that contains either elements or text.
package struct XMLElement: Sendable, Equatable {
    /// The name in the tag.
    package var name: [UInt8]
    /// The text. Empty if there are children.
    package var text: [UInt8] = []
    /// The child elements in document order.
    package var children: [XMLElement] = []

    /// Returns the text of the child with the given name, or nil unless there is exactly one.
    package func text(of name: String) -> [UInt8]? {
        let found = children.filter { $0.name.elementsEqual(name.utf8) }
        return found.count == 1 ? found[0].text : nil
    }
}
