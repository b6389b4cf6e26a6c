import Presigning
import Text

/// The value of `Range` (RFC 9110, section 14). Like S3, it supports one range of bytes.
enum RangeHeader: Sendable, Equatable {
    case bytes(from: Int, through: Int?)
    case suffix(Int)

    /// Parses the value; nil for several ranges, another unit or a malformed value, which all select the whole object.
    init?(_ text: [UInt8]) {
        guard text.span.startsIgnoringCase(with: "bytes=") else { return nil }
        let range = text.dropFirst(6).trimmed
        guard let dash = range.firstIndex(of: UInt8(ascii: "-")) else { return nil }
        let (first, last) = (range[..<dash], range[(dash + 1)...])
        if first.isEmpty {
            guard let count = Self.position(last) else { return nil }
            self = .suffix(count)
        } else {
            guard let start = Self.position(first) else { return nil }
            guard !last.isEmpty else {
                self = .bytes(from: start, through: nil)
                return
            }
            guard let end = Self.position(last), end >= start else { return nil }
            self = .bytes(from: start, through: end)
        }
    }

    /// Parses any number of digits. Numbers above any object's size are equivalent, so large ones are clamped.
    private static func position(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy(ASCII.isDigit) else { return nil }
        // At most `.max - 1`, because `range(in:)` adds 1.
        return Int(decimal: digits.span, in: 0...(.max - 1)) ?? .max - 1
    }

    /// Returns the selected range of a content of `length` bytes; nil if it is empty, which gets 416.
    func range(in length: Int) -> Range<Int>? {
        switch self {
        case .bytes(let first, let last):
            guard first < length else { return nil }
            return first..<min(length, last.map { $0 + 1 } ?? length)
        case .suffix(let count):
            guard count > 0, length > 0 else { return nil }
            return max(0, length - count)..<length
        }
    }

    /// Returns the range that a request asks for; nil without one, or if `If-Range` names another version.
    static func requested(_ request: S3Request, entityTag: [UInt8], lastModified: SigningTime, at time: SigningTime)
        -> RangeHeader?
    {
        guard let text = request.header("range"), let range = RangeHeader(text) else { return nil }
        guard let condition = request.header("if-range") else { return range }
        if condition.first == UInt8(ascii: "\"") || condition.starts(with: "W/".utf8) {
            return EntityTagList(condition).matchesStrongly(entityTag) ? range : nil
        }
        // RFC 9110, section 13.1.5: the date must equal Last-Modified exactly.
        return SigningTime(httpDate: condition, at: time) == lastModified ? range : nil
    }
}
