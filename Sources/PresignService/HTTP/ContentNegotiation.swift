import HTTP1
import Text

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
            .map { $0.trimming(ASCII.isBlank) }
        guard parts.dropFirst().allSatisfy(Self.isHarmless), let form = Self(type: parts.first) else { return nil }
        self = form
    }

    private init?(type: ArraySlice<UInt8>?) {
        guard let type else { return nil }
        if type.span.equalsIgnoringCase("application/json") {
            self = .json
        } else if type.span.equalsIgnoringCase("application/x-www-form-urlencoded") {
            self = .form
        } else {
            return nil
        }
    }

    private static func hasCoding(_ headers: borrowing HTTPHeaders) -> Bool {
        !headers.values(.contentEncoding).allSatisfy { $0.span.equalsIgnoringCase("identity") }
    }

    /// Whether a parameter of the type says nothing but UTF-8.
    private static func isHarmless(_ parameter: ArraySlice<UInt8>) -> Bool {
        parameter.isEmpty || parameter.span.equalsIgnoringCase("charset=utf-8")
            || parameter.span.equalsIgnoringCase("charset=\"utf-8\"")
    }

    /// What besides the type itself keeps a body from being read.
    fileprivate static func mistake(in headers: borrowing HTTPHeaders) -> String? {
        if hasCoding(headers) { return "The body has a content coding (Content-Encoding), and must have none" }
        guard headers.count(.contentType) == 1, let value = headers.range(of: .contentType) else { return nil }
        let parts = headers.bytes[value].split(separator: UInt8(ascii: ";")).map { $0.trimming(ASCII.isBlank) }
        guard Self(type: parts.first) != nil, let parameter = parts.dropFirst().first(where: { !isHarmless($0) }) else {
            return nil
        }
        return parameter.span.startsIgnoringCase(with: "charset=")
            ? "The body must be in UTF-8, and its charset is another"
            : "The Content-Type may have no parameter but charset=utf-8"
    }
}

extension Problem {
    /// 415: neither JSON nor a form, of a batch no JSON; or not as it is, or not in UTF-8.
    ///
    /// - Parameter body: empty where only the head was received.
    static func unsupportedMediaType(
        _ headers: borrowing HTTPHeaders, _ route: Route, body: ArraySlice<UInt8> = []
    ) -> Problem {
        let types =
            route == .batch
            ? "The body of a batch must be application/json"
            : "The body must be application/json or application/x-www-form-urlencoded"
        let (title, mistake) = ("Unsupported content type", BodyForm.mistake(in: headers))
        if let mistake {
            return Problem(
                415, .unsupportedMediaType, title, mistake, recovery: "Leave it out, and send UTF-8 as it is.")
        }
        let header = headers.contains(.contentType) ? "its Content-Type is another" : "it has no Content-Type"
        return Problem(
            415, .unsupportedMediaType, title,
            body.looksLikeJSON
                ? "The body looks like JSON, but \(header)" : types + ", in UTF-8 and without content coding",
            recovery: addJSONType)
    }

    /// 400: JSON that was sent as a form, as `curl -d` does.
    static let jsonSentAsForm = validation(
        [FieldFailure("", "the body looks like JSON, but its Content-Type is application/x-www-form-urlencoded")],
        recovery: addJSONType)

    private static let addJSONType =
        "Add the header Content-Type: application/json (curl: -H 'Content-Type: application/json')."

    /// 400: a query on a route that reads the body only; nil without one. It names the parameters and not their values, which
    /// may be credentials.
    static func unreadQuery(_ query: ArraySlice<UInt8>?) -> Problem? {
        guard let query, !query.isEmpty else { return nil }
        let names = query.split(separator: UInt8(ascii: "&")).prefix(16).map { parameter in
            "`" + String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }.prefix(64), as: UTF8.self) + "`"
        }
        return .validation(
            [FieldFailure("", "the query (\(names.joined(separator: ", "))) is not read by this route")],
            recovery: "Put these members into the body, and leave the query out.")
    }
}

extension ArraySlice<UInt8> {
    /// Whether the first byte that is not blank begins a JSON object or array.
    package var looksLikeJSON: Bool {
        let first = first { !ASCII.isWhitespace($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
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
                let parts = range.split(separator: UInt8(ascii: ";")).map { $0.trimming(ASCII.isBlank) }
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
    mutating func take(_ weight: Int, of range: ArraySlice<UInt8>, names: [StaticString]) {
        guard let found = names.firstIndex(where: { range.span.equalsIgnoringCase($0) }), found >= precision else {
            return
        }
        value = found > precision ? weight : Swift.max(value, weight)
        precision = found
    }
}

extension ArraySlice<UInt8> {
    /// `q=0.5` in thousandths; nil when this is another parameter. A malformed weight counts as none at all.
    fileprivate var weight: Int? {
        guard count >= 3, span.startsIgnoringCase(with: "q=") else { return nil }
        let digits = dropFirst(2)
        guard let whole = digits.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), digits.count <= 5
        else {
            return 0
        }
        var weight = whole == UInt8(ascii: "1") ? 1000 : 0
        var unit = 100
        for digit in digits.dropFirst(2) where ASCII.isDigit(digit) {
            weight += Int(digit - UInt8(ascii: "0")) * unit
            unit /= 10
        }
        return Swift.min(weight, 1000)
    }
}
