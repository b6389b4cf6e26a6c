import Foundation

/// One HTTP response as received.
package struct RawResponse: Sendable {
    /// The status code.
    package let status: Int
    /// Fields in wire order, with names in lower case.
    package let fields: [(name: String, value: String)]
    /// The body, of the length in Content-Length.
    package let body: [UInt8]

    /// The value of a field that occurs exactly once; nil otherwise.
    package subscript(name: String) -> String? {
        let values = values(name)
        return values.count == 1 ? values[0] : nil
    }

    /// The values of all fields of that name.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The body as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    /// The first complete response and its length; nil if it is incomplete.
    package static func parse(_ bytes: [UInt8], omitsBody: Bool) throws -> (RawResponse, Int)? {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.firstRange(of: separator)?.lowerBound else { return nil }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ", maxSplits: 2)
        guard words.count >= 2, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw RawClient.Failure(description: "invalid status line: \(lines[0])")
        }
        let fields = try lines.dropFirst().map { line in
            guard let colon = line.firstIndex(of: ":") else {
                throw RawClient.Failure(description: "invalid header line: \(line)")
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
