import Bytes
import HTTPServing

/// The two forms a body may have.
enum BodyForm: Equatable {
    case json
    case form

    /// What `Content-Type` and `Content-Encoding` say; nil for anything else, which is a 415.
    init?(_ headers: borrowing HTTPHeaders) {
        if headers.contains(.contentEncoding), Self.hasCoding(headers) { return nil }
        guard headers.count(.contentType) == 1, let value = headers.range(of: .contentType) else { return nil }
        // What nearly everybody sends.
        if headers.bytes.span.extracting(value).equals("application/json") {
            self = .json
            return
        }
        let parts = headers.bytes[value].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map(\.trimmedBlanks)
        guard parts.dropFirst().allSatisfy(Self.isHarmless), let form = Self(type: parts.first) else { return nil }
        self = form
    }

    private init?(type: ArraySlice<UInt8>?) {
        if type?.matches("application/json") == true {
            self = .json
        } else if type?.matches("application/x-www-form-urlencoded") == true {
            self = .form
        } else {
            return nil
        }
    }

    private static func hasCoding(_ headers: borrowing HTTPHeaders) -> Bool {
        !headers.values(.contentEncoding).allSatisfy { $0.matches("identity") }
    }

    /// Whether a parameter of the type says nothing but UTF-8.
    private static func isHarmless(_ parameter: ArraySlice<UInt8>) -> Bool {
        parameter.isEmpty || parameter.matches("charset=utf-8") || parameter.matches("charset=\"utf-8\"")
    }

    /// What besides the type itself keeps a body from being read.
    fileprivate static func mistake(in headers: borrowing HTTPHeaders) -> String? {
        if hasCoding(headers) { return "The body has a content coding (Content-Encoding), and must have none" }
        guard headers.count(.contentType) == 1, let value = headers.range(of: .contentType) else { return nil }
        let parts = headers.bytes[value].split(separator: UInt8(ascii: ";")).map(\.trimmedBlanks)
        guard Self(type: parts.first) != nil, let parameter = parts.dropFirst().first(where: { !isHarmless($0) }) else {
            return nil
        }
        return parameter.prefix(8).matches("charset=")
            ? "The body must be in UTF-8, and its charset is another"
            : "The Content-Type may have no parameter but charset=utf-8"
    }
}

extension Problem {
    /// 415: neither JSON nor a form, of a batch no JSON; or not as it is, or not in UTF-8.
    static func unsupportedMediaType(_ headers: borrowing HTTPHeaders, _ route: Route) -> Problem {
        let types =
            route == .batch
            ? "The body of a batch must be application/json"
            : "The body must be application/json or application/x-www-form-urlencoded"
        let mistake = BodyForm.mistake(in: headers)
        return Problem(
            415, "unsupported-media-type", "Unsupported content type",
            mistake ?? types + ", in UTF-8 and without content coding",
            recovery: mistake == nil
                ? "Set the Content-Type header to application/json." : "Leave it out, and send UTF-8 as it is.")
    }
}

extension HTTPHeaders {
    /// True when the caller asks for text rather than JSON: `text/plain` weighs more than `application/json`, each by the
    /// most specific range that names it (RFC 9110 section 12.5.1).
    var prefersText: Bool {
        guard contains(.accept) else { return false }
        var text = RangeWeight()
        var json = RangeWeight()
        for value in values(.accept) {
            for range in value.split(separator: UInt8(ascii: ",")) {
                let parts = range.split(separator: UInt8(ascii: ";")).map(\.trimmedBlanks)
                guard let type = parts.first else { continue }
                let weight = parts.dropFirst().compactMap(\.weight).first ?? 1000
                text.take(weight, of: type, names: ["*/*", "text/*", "text/plain"])
                json.take(weight, of: type, names: ["*/*", "application/*", "application/json"])
            }
        }
        return text.value > json.value
    }
}

/// The weight of a type in thousandths, as the most specific range so far has it; 0 while none names it.
private struct RangeWeight {
    private(set) var value = 0
    private var precision = -1

    /// - Parameter names: the ranges that the type lies in, from the widest to the type itself.
    mutating func take(_ weight: Int, of range: ArraySlice<UInt8>, names: [String]) {
        guard let found = names.firstIndex(where: { range.matches($0) }), found >= precision else { return }
        value = found > precision ? weight : Swift.max(value, weight)
        precision = found
    }
}

extension ArraySlice<UInt8> {
    /// Without spaces and tabs at both ends.
    var trimmedBlanks: ArraySlice<UInt8> {
        let start = drop { $0 == 0x20 || $0 == 0x09 }
        return start.prefix(
            (start.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? start.startIndex - 1) - start.startIndex + 1)
    }

    /// Compares with ASCII text in lower case, without regard to case.
    func matches(_ text: String) -> Bool {
        let text = text.utf8
        return count == text.count
            && zip(self, text).allSatisfy { byte, expected in
                (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte) == expected
            }
    }

    /// `q=0.5` in thousandths; nil when this is another parameter. A malformed weight counts as none at all.
    fileprivate var weight: Int? {
        guard count >= 3, first.map({ $0 | 0x20 }) == UInt8(ascii: "q"), dropFirst().first == UInt8(ascii: "=") else {
            return nil
        }
        let digits = dropFirst(2)
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), digits.count <= 5
        else {
            return 0
        }
        var weight = whole == UInt8(ascii: "1") ? 1000 : 0
        var unit = 100
        for digit in digits.dropFirst(2) where UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit {
            weight += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return Swift.min(weight, 1000)
    }
}
