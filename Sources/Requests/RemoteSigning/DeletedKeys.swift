import DataFormats

/// The keys in the body of DeleteObjects (S3 API Reference, DeleteObjects).
struct DeletedKeys {
    /// 1 to 1000 keys.
    private(set) var keys: [[UInt8]] = []

    private static let maximum = 1000

    /// - Throws: `InvalidRequest` for a document with anything but keys, because rules decide by them only.
    init(_ document: [UInt8]) throws(InvalidRequest) {
        var children: [XMLElement] = []
        do throws(XMLReader.Failure) {
            var reader = try XMLReader(document, root: "Delete")
            while let child = try reader.nextChild() { children.append(child) }
        } catch {
            throw .deletion
        }
        children.removeAll { $0.name.elementsEqual("Quiet".utf8) && $0.children.isEmpty }
        guard 1...Self.maximum ~= children.count else { throw .deletion }
        for child in children {
            guard child.name.elementsEqual("Object".utf8), child.children.count == 1,
                let key = child.text(of: "Key"), !key.isEmpty
            else { throw .deletion }
            keys.append(key)
        }
    }
}

extension InvalidRequest {
    fileprivate static let deletion = InvalidRequest(
        "body", "must be the XML of DeleteObjects with 1 to 1000 objects, each with its `Key` only")
}
