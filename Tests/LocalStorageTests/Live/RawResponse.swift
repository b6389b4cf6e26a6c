import Foundation

/// One HTTP response as it came.
struct RawResponse {
    let status: Int
    /// Names in lower case, in the order of the wire.
    let fields: [(name: String, value: String)]
    let body: [UInt8]

    /// The value of the field, which is there exactly once; nil when it is absent or repeated.
    subscript(name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The text of the first element of a name, as it stands there.
    func element(_ name: String) -> String? {
        guard let start = text.range(of: "<\(name)>"), let end = text.range(of: "</\(name)>") else { return nil }
        return String(text[start.upperBound..<end.lowerBound])
    }

    /// S3's word for the error.
    var code: String? { element("Code") }

    /// The first whole response and its length; nil when it is not whole yet.
    static func parse(_ bytes: [UInt8], omitsBody: Bool) throws -> (RawResponse, Int)? {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: separator)?.lowerBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw RawClient.Failure(description: "no status line: \(lines[0])")
        }
        let fields = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw RawClient.Failure(description: "no header line: \(line)")
            }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (name: line[..<colon].lowercased(), value: value)
        }
        let length = fields.first { $0.name == "content-length" }.flatMap { Int($0.value) } ?? 0
        let start = end + separator.count
        let count = omitsBody || status < 200 ? 0 : length
        guard bytes.count >= start + count else { return nil }
        return (RawResponse(status: status, fields: fields, body: Array(bytes[start..<(start + count)])), start + count)
    }
}
