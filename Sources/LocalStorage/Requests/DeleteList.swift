import DataFormats
import Presigning
import Text

/// The body of DeleteObjects: the objects to delete.
///
/// Source: Amazon S3 API reference, "DeleteObjects".
struct DeleteList: Sendable {
    /// An object to delete, if its condition holds.
    typealias Object = (key: [UInt8], conditions: WriteConditions)

    /// The maximum number of objects.
    static let maximumCount = 1000
    /// The maximum size of the document: 2 MiB, enough for the longest keys.
    static let maximumSize = 2 << 20

    let objects: [Object]
    /// Whether the response names only the objects that could not be deleted.
    let isQuiet: Bool

    init(_ document: [UInt8]) throws(S3Error) {
        var (objects, quiet): ([Object], [UInt8]?) = ([], nil)
        try document.forEachXMLChild(of: "Delete") { child throws(S3Error) in
            if child.name.elementsEqual("Quiet".utf8) {
                guard quiet == nil else { throw .malformedXML }
                quiet = child.text
            } else {
                guard objects.count < Self.maximumCount else { throw .malformedXML }
                objects.append(try Self.object(child))
            }
        }
        guard !objects.isEmpty else { throw .malformedXML }
        self.objects = objects
        isQuiet = quiet?.trimmed.elementsEqual("true".utf8) ?? false
    }

    private static func object(_ element: XMLElement) throws(S3Error) -> Object {
        guard element.name.elementsEqual("Object".utf8), let key = element.text(of: "Key"), !key.isEmpty else {
            throw .malformedXML
        }
        let known = ["Key", "ETag"]
        let other = element.children.first { child in !known.contains { child.name.elementsEqual($0.utf8) } }
        if let other {
            throw .notImplemented("the element \(String(decoding: other.name, as: UTF8.self)) of an object to delete")
        }
        guard key.count <= S3Limits.key else { throw .keyTooLong(key.count) }
        return (key, WriteConditions(mustMatch: element.text(of: "ETag")))
    }
}
