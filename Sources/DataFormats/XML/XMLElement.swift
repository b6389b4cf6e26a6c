/// An element with elements or a text in it.
package struct XMLElement: Sendable, Equatable {
    /// As it stands in the tag.
    package var name: [UInt8]
    /// Empty where there are children.
    package var text: [UInt8] = []
    /// In the order of the document.
    package var children: [XMLElement] = []

    /// The text of the only child of a name; nil when there is none, or several.
    package func text(of name: String) -> [UInt8]? {
        let found = children.filter { $0.name.elementsEqual(name.utf8) }
        return found.count == 1 ? found[0].text : nil
    }
}
