import DataFormats
import Presigning
import Text

/// The fields of an HTML form that precede its file, with names in lower case.
///
/// Source: Amazon S3 API reference, "POST Object".
struct PostForm: Sendable {
    private(set) var fields: [S3Request.Field] = []

    /// The fields that become headers of the upload, besides `x-amz-*`.
    private static let headers = StoredHeaders.standard + ["content-md5"]

    /// Returns the value of a field; nil without it.
    ///
    /// - Parameter name: in lower case.
    subscript(name: String) -> [UInt8]? { fields.first { $0.name.elementsEqual(name.utf8) }?.value }

    /// Adds a field. Throws if it is a duplicate.
    mutating func add(_ name: [UInt8], _ value: [UInt8]) throws(S3Error) {
        guard !fields.contains(where: { $0.name == name }) else {
            throw .invalidArgument(
                "The form has this field twice.", name: String(decoding: name, as: UTF8.self), value: value)
        }
        fields.append((name, value))
    }

    /// Returns the key. Throws if it is missing, too long, or not exact.
    func key() throws(S3Error) -> [UInt8] {
        guard let key = self["key"], !key.isEmpty else {
            throw .invalidArgument(
                "Bucket POST must contain a field named 'key'.  If it is specified, please check the order of the "
                    + "fields.", name: "key", value: [])
        }
        guard key.count <= S3Limits.key else { throw .keyTooLong(key.count) }
        guard !key.contains(Array("${filename}".utf8)) else { throw .notImplemented("the variable ${filename}") }
        return key
    }

    /// The headers that an upload with PUT would have in place of the fields.
    func uploadHeaders() throws(S3Error) -> [S3Request.Field] {
        var headers = fields.filter { field in
            Self.headers.contains { field.name.elementsEqual($0.utf8) } || field.name.starts(with: "x-amz-".utf8)
        }
        if let list = self["acl"] { headers.append((Array("x-amz-acl".utf8), list)) }
        if let tagging = self["tagging"] {
            headers.append((Array("x-amz-tagging".utf8), try Self.tags(in: tagging)))
        }
        return headers
    }

    /// Returns the tags of an XML document in the format of `x-amz-tagging`.
    private static func tags(in document: [UInt8]) throws(S3Error) -> [UInt8] {
        guard let root = try? XMLReader.root(of: document), root.name.elementsEqual("Tagging".utf8),
            let set = root.children.first, set.name.elementsEqual("TagSet".utf8)
        else { throw .malformedXML }
        var tags: [[UInt8]] = []
        for tag in set.children {
            guard let key = tag.text(of: "Key"), let value = tag.text(of: "Value") else { throw .malformedXML }
            tags.append(PercentEncoding.query.encode(key) + [UInt8(ascii: "=")] + PercentEncoding.query.encode(value))
        }
        return Array(tags.joined(separator: "&".utf8))
    }
}
