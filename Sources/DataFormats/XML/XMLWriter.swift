/// Writes an XML document of elements and texts.
package struct XMLWriter {
    /// The namespace of S3's results.
    package static let namespace = "http://s3.amazonaws.com/doc/2006-03-01/"

    package private(set) var bytes = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)

    /// A document with nothing but its declaration.
    package init() {}

    /// An element with what `content` writes inside; `namespace` is for the root of a result.
    package mutating func element(_ name: String, namespace: String? = nil, _ content: (inout XMLWriter) -> Void) {
        bytes += "<\(name)".utf8
        if let namespace { bytes += " xmlns=\"\(namespace)\"".utf8 }
        bytes += ">".utf8
        content(&self)
        bytes += "</\(name)>".utf8
    }

    /// An element with a text of any bytes in it.
    package mutating func element(_ name: String, _ text: [UInt8]) {
        element(name) { $0.append(text) }
    }

    /// An element with a text in it.
    package mutating func element(_ name: String, _ text: String) {
        element(name, Array(text.utf8))
    }

    /// Escapes markup. What XML 1.0 (section 2.2) cannot hold in any form, and bytes that are no UTF-8, become U+FFFD;
    /// a carriage return is a reference, since a reader would make a line feed of it.
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
