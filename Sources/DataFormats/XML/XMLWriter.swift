import Text

/// Writes an XML document of elements and text.
package struct XMLWriter: ~Copyable {
    /// The namespace of S3 responses.
    package static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    private var output = ByteBuffer()

    /// The document so far.
    package var bytes: [UInt8] { output.bytes }

    /// Creates a document that consists of the XML declaration.
    package init() { output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }

    /// Writes an element with the content that `content` writes.
    ///
    /// - Parameters:
    ///   - namespace: the default namespace, for the root element.
    ///   - type: the value of `xsi:type` (XML Schema part 1, section 2.6.1).
    package mutating func element(
        _ name: String, namespace: String? = nil, type: String? = nil, _ content: (inout XMLWriter) -> Void
    ) {
        output.append(utf8: "<\(name)")
        if let namespace { output.append(utf8: " xmlns=\"\(namespace)\"") }
        if let type {
            output.append(utf8: " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:type=\"\(type)\"")
        }
        output.append(">")
        content(&self)
        output.append(utf8: "</\(name)>")
    }

    /// Writes an element with a text of any bytes.
    package mutating func element(_ name: String, _ text: [UInt8]) {
        element(name) { $0.append(text) }
    }

    /// Writes an element with a text.
    package mutating func element(_ name: String, _ text: String) {
        element(name, Array(text.utf8))
    }

    /// Appends escaped text.
    ///
    /// Characters that XML 1.0 does not allow (section 2.2) and invalid UTF-8 become U+FFFD. Carriage returns become
    /// references, because parsers replace them with line feeds.
    package mutating func append(_ text: [UInt8]) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<": output.append("&lt;")
            case ">": output.append("&gt;")
            case "&": output.append("&amp;")
            case "\"": output.append("&quot;")
            case "'": output.append("&apos;")
            case "\r", "\n", "\t": output.append(utf8: "&#\(scalar.value);")
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": output.append("\u{FFFD}")
            default: for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { output.append(byte) }
            }
        }
    }
}
