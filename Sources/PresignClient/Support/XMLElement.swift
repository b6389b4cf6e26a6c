import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An element of a small XML document, such as those of S3.
struct XMLElement: Sendable, Equatable {
    /// Without namespace prefix.
    let name: String
    var text = ""
    var children: [XMLElement] = []

    init(name: String) { self.name = name }

    /// Reads the root of a document. Nil if it is not well-formed.
    init?(_ data: Data) {
        let reader = XMLReader()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.delegate = reader
        guard parser.parse(), let root = reader.root else { return nil }
        self = root
    }

    /// The text of the first child with this name.
    subscript(name: String) -> String? { children.first { $0.name == name }?.text }

    /// The children with this name.
    func all(_ name: String) -> [XMLElement] { children.filter { $0.name == name } }
}

/// Builds the tree of elements.
private final class XMLReader: NSObject, XMLParserDelegate {
    private(set) var root: XMLElement?
    /// The elements that have not ended, outermost first.
    private var open: [XMLElement] = []

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        open.append(XMLElement(name: elementName.split(separator: ":").last.map(String.init) ?? elementName))
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        guard !open.isEmpty else { return }
        open[open.count - 1].text += string
    }

    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }
}
