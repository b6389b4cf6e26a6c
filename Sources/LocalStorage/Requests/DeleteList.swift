import DataFormats
import Presigning
import Text

/// The body of DeleteObjects: the keys to delete.
///
/// Source: Amazon S3 API reference, "DeleteObjects".
struct DeleteList: Sendable {
    /// The maximum number of keys.
    static let maximumCount = 1000
    /// The maximum size of the document: 2 MiB, enough for the longest keys.
    static let maximumSize = 2 << 20

    let keys: [[UInt8]]
    /// Whether the response names only the keys that could not be deleted.
    let isQuiet: Bool

    init(_ document: [UInt8]) throws(S3Error) {
        let root: XMLElement
        do throws(XMLReader.Failure) {
            root = try XMLReader.root(of: document)
        } catch {
            throw .malformedXML
        }
        guard root.name.elementsEqual("Delete".utf8) else { throw .malformedXML }
        var keys: [[UInt8]] = []
        for child in root.children where !child.name.elementsEqual("Quiet".utf8) { keys.append(try Self.key(child)) }
        guard 1...Self.maximumCount ~= keys.count else { throw .malformedXML }
        self.keys = keys
        isQuiet = root.text(of: "Quiet").map { $0.trimmed.elementsEqual("true".utf8) } ?? false
    }

    private static func key(_ element: XMLElement) throws(S3Error) -> [UInt8] {
        guard element.name.elementsEqual("Object".utf8), let key = element.text(of: "Key"), !key.isEmpty else {
            throw .malformedXML
        }
        if let other = element.children.first(where: { !$0.name.elementsEqual("Key".utf8) }) {
            throw .notImplemented("the element \(String(decoding: other.name, as: UTF8.self)) of an object to delete")
        }
        guard key.count <= S3Limits.key else { throw .keyTooLong(key.count) }
        return key
    }
}
