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
