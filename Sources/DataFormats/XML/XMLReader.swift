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

    private let bytes: [UInt8]
    private var index = 0

    /// Returns the root element of a document.
    package static func root(of bytes: [UInt8]) throws(Failure) -> XMLElement {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure() }
        var reader = XMLReader(bytes)
        try reader.skipDeclaration()
        reader.skipSpace()
        let root = try reader.element(depth: 1)
        reader.skipSpace()
        guard reader.index == bytes.count else { throw Failure() }
        return root
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
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
        guard depth <= Self.maximumDepth, take("<") else { throw Failure() }
        var element = XMLElement(name: try name())
        guard try attributes() else { return element }
        while true {
            let text = try text()
            element.text += text
            if take("</") {
                guard try name() == element.name else { throw Failure() }
                skipSpace()
                guard take(">") else { throw Failure() }
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
