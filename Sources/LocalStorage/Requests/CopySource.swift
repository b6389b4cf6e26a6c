import Presigning
import Text

/// The object that a request copies (`x-amz-copy-source`), and which of its headers.
///
/// Source: Amazon S3 API reference, "CopyObject" and "UploadPartCopy".
struct CopySource: Sendable {
    let bucket: [UInt8]
    let key: [UInt8]
    /// Whether the request states the metadata of the copy.
    let replacesMetadata: Bool
    /// Whether the request states the tags of the copy.
    let replacesTags: Bool

    init(_ request: S3Request) throws(S3Error) {
        let text = request.header("x-amz-copy-source") ?? []
        let path = (text.first == UInt8(ascii: "/") ? text.dropFirst() : text[...]).prefix { $0 != ASCII.question }
        if text.contains(ASCII.question) {
            throw .notImplemented("copying a version", header: "x-amz-copy-source")
        }
        guard let decoded = PercentEncoding.decode(path), let slash = decoded.firstIndex(of: UInt8(ascii: "/")),
            slash > 0, slash + 1 < decoded.count
        else {
            throw .invalidArgument(
                "Copy Source must mention the source bucket and key: sourcebucket/sourcekey",
                name: "x-amz-copy-source", value: text)
        }
        bucket = Array(decoded[..<slash])
        key = Array(decoded[(slash + 1)...])
        replacesMetadata = try Self.replaces("x-amz-metadata-directive", request)
        replacesTags = try Self.replaces("x-amz-tagging-directive", request)
    }

    private static func replaces(_ name: String, _ request: S3Request) throws(S3Error) -> Bool {
        guard let value = request.header(name) else { return false }
        guard !value.elementsEqual("REPLACE".utf8) else { return true }
        guard value.elementsEqual("COPY".utf8) else {
            throw .invalidArgument("\(name) must be COPY or REPLACE.", name: name, value: value)
        }
        return false
    }

    /// Returns the range of `x-amz-copy-source-range` in a source of `length` bytes; the whole source without one.
    static func range(_ request: S3Request, in length: Int) throws(S3Error) -> Range<Int> {
        guard let text = request.header("x-amz-copy-source-range") else { return 0..<length }
        guard case .bytes(let first, let last?)? = RangeHeader(text) else {
            throw .invalidArgument(
                "The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the "
                    + "zero-based offsets of the first and last bytes to copy", name: "x-amz-copy-source-range",
                value: text)
        }
        guard last < length else {
            throw .invalidArgument(
                "Range specified is not valid for source object of size: \(length)", name: "x-amz-copy-source-range",
                value: text)
        }
        return first..<(last + 1)
    }
}
