import Presigning
import Text

/// The tags of an object in the format of `x-amz-tagging`: a query such as `project=a%20b&scan`.
///
/// Source: Amazon S3 API reference, "PutObject"; user guide, "Categorizing your objects using tags".
struct ObjectTags: Sendable {
    typealias Tag = (key: [UInt8], value: [UInt8])

    /// The decoded tags; one without `=` has an empty value.
    let list: [Tag]

    /// Throws for an invalid percent-encoding, text that is not UTF-8, a tag without a name, duplicates, and more than
    /// 10 tags.
    init(_ text: [UInt8]) throws(S3Error) {
        var list: [Tag] = []
        for part in text.split(separator: UInt8(ascii: "&")) {
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            guard let key = Self.decoded(name), let value = Self.decoded(part.dropFirst(name.count + 1)),
                !key.isEmpty, !list.contains(where: { $0.key == key })
            else { throw Self.invalid(text) }
            list.append((key, value))
        }
        guard list.count <= S3Limits.tags else { throw Self.invalid(text) }
        self.list = list
    }

    /// Decodes a name or value, in which some encoders write a space as `+`; nil if it is invalid.
    private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? ASCII.space : $0 }
        return PercentEncoding.decode(spaced[...]).flatMap { String(validating: $0, as: UTF8.self) == nil ? nil : $0 }
    }

    private static func invalid(_ text: [UInt8]) -> S3Error {
        .invalidArgument(
            "The header 'x-amz-tagging' shall be encoded as UTF-8 then URLEncoded URL query parameters without tag "
                + "name duplicates.", name: "x-amz-tagging", value: text)
    }
}
