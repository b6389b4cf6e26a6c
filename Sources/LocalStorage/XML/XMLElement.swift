/// An element with elements or a text in it.
struct XMLElement: Sendable, Equatable {
    var name: [UInt8]
    /// Empty where there are children.
    var text: [UInt8] = []
    var children: [XMLElement] = []

    /// The text of the only child of a name; nil when there is none, or several.
    func text(of name: String) -> [UInt8]? {
        let found = children.filter { $0.name.elementsEqual(name.utf8) }
        return found.count == 1 ? found[0].text : nil
    }
}
