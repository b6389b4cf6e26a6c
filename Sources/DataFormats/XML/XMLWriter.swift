/// Writes an XML document of elements and text.
package struct XMLWriter {
    /// The namespace of S3 responses.
    package static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

    /// Creates a document that consists of the XML declaration.
    package init() {}

    /// Writes an element with the content that `content` writes.
    ///
    /// - Parameter namespace: the default namespace, for the root element.
    package mutating func element(_ name: String, namespace: String? = nil, _ content: (inout XMLWriter) -> Void) {
        bytes += "<\(name)".utf8
        if let namespace { bytes += " xmlns=\"\(namespace)\"".utf8 }
        bytes += ">".utf8
        content(&self)
        bytes += "</\(name)>".utf8
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
    private mutating func append(_ text: [UInt8]) {
        for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "&": bytes += "&amp;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&apos;".utf8
            case "\r", "\n", "\t": bytes += "&#\(scalar.value);".utf8
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": bytes += "\u{FFFD}".utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
    }
}
