import DataFormats
import HTTP1
import Requests
import Text

/// The formats of a body.
enum BodyForm: CaseIterable {
    case json
    case form
    /// The JSON of the Git LFS API.
    case lfs

    fileprivate init?(type: ArraySlice<UInt8>?) {
        guard let type, let form = Self.allCases.first(where: { type.span.equalsIgnoringCase($0.mediaType) }) else {
            return nil
        }
        self = form
    }

    fileprivate var mediaType: StaticString {
        switch self {
        case .json: "application/json"
        case .form: "application/x-www-form-urlencoded"
        case .lfs: "application/vnd.git-lfs+json"
        }
    }

    fileprivate static func hasCoding(_ headers: HTTPHeaders) -> Bool {
        !headers.values(.contentEncoding).allSatisfy { $0.span.equalsIgnoringCase("identity") }
    }

    /// Whether a parameter is empty or `charset=utf-8`.
    fileprivate static func isSupported(_ parameter: ArraySlice<UInt8>) -> Bool {
        parameter.isEmpty || parameter.span.equalsIgnoringCase("charset=utf-8")
            || parameter.span.equalsIgnoringCase("charset=\"utf-8\"")
    }

    /// Returns why the body is unsupported although its media type is known; nil if the media type is the reason.
    fileprivate static func mistake(in headers: HTTPHeaders) -> String? {
        if hasCoding(headers) { return "Content-Encoding is not supported; send the body uncompressed" }
        guard headers.count(.contentType) == 1, let value = headers.range(of: .contentType) else { return nil }
        let parts = headers.bytes[value].split(separator: UInt8(ascii: ";")).map { $0.trimming(ASCII.isBlank) }
        guard Self(type: parts.first) != nil, let parameter = parts.dropFirst().first(where: { !isSupported($0) })
        else {
            return nil
        }
        return parameter.span.startsIgnoringCase(with: "charset=")
            ? "The charset must be utf-8"
            : "Content-Type accepts no parameter but charset=utf-8"
    }
}

extension Problem {
    /// 415: neither JSON nor a form (for a batch, not JSON), compressed, or not UTF-8.
    ///
    /// - Parameter body: empty if only the head was received.
    static func unsupportedMediaType(
        _ headers: HTTPHeaders, _ route: Route, body: ArraySlice<UInt8> = []
    ) -> Problem {
        let problem = { (detail: String, recovery: String) in
            Problem(415, .unsupportedMediaType, "Unsupported content type", detail, recovery: recovery)
        }
        if let mistake = BodyForm.mistake(in: headers) {
            return problem(mistake, "Remove it and send the body uncompressed, in UTF-8.")
        }
        let type = headers.first(.contentType)
        if body.looksLikeJSON {
            let header = type == nil ? "it has no Content-Type" : "its Content-Type is not application/json"
            return problem("The body looks like JSON, but \(header)", addJSONType)
        }
        if let type, type.span.startsIgnoringCase(with: "multipart/form-data") {
            return problem("multipart/form-data, the type of curl -F, is not supported", sendFields)
        }
        let types =
            "The body must be "
            + BodyForm.allCases.filter(route.accepts).map { "\($0.mediaType)" }.joined(separator: " or ")
        guard headers.count(.contentType) < 2 else {
            return problem("The request has more than one Content-Type", "Send the header once.")
        }
        let given = type.map { ", but is \(String(decoding: $0, as: UTF8.self).quoted)" } ?? ", in UTF-8"
        return problem(types + given, route.isBatch ? addJSONType : sendFields)
    }

    /// 400: no body at all.
    static func emptyBody(_ route: Route) -> Problem {
        validation(
            [FieldFailure("", "the body is empty")], recovery: route == .batch ? sendBatch : sendFields)
    }

    /// 400: JSON that was sent as a form, as `curl -d` does.
    static let jsonSentAsForm = validation(
        [FieldFailure("", "the body looks like JSON, but its Content-Type is application/x-www-form-urlencoded")],
        recovery: addJSONType)

    /// 400: a form that was sent as JSON.
    static let formSentAsJSON = validation(
        [FieldFailure("", "the body looks like a form, but its Content-Type is application/json")],
        recovery: "Send JSON, or remove the header Content-Type: curl -d sends that of a form.")

    private static let sendFields =
        "Send the fields as JSON or as a form, such as curl -d path=photos/cat.jpg -d method=PUT; send a file to the "
        + "signed URL."

    /// How to fix a body that is not a batch.
    static let sendBatch = #"Send {"requests":[...]} with 1 to 1000 bodies of POST /presign."#

    private static let addJSONType =
        "Add the header Content-Type: application/json (curl: -H 'Content-Type: application/json')."

    /// 400: a query on a route that reads only the body; nil without one. Omits the values, which may be credentials.
    static func unexpectedQuery(_ query: ArraySlice<UInt8>?) -> Problem? {
        guard let query, !query.isEmpty else { return nil }
        let names = query.split(separator: UInt8(ascii: "&")).prefix(16).map { parameter in
            String(decoding: parameter.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self).quoted
        }
        return .validation(
            [FieldFailure("", "this route reads no query, but the request has \(names.joined(separator: ", "))")],
            recovery: "Move these fields into the body.")
    }
}

extension HTTPHeaders {
    /// The body's format by `Content-Type` and `Content-Encoding`; nil if unsupported, which is a 415.
    var bodyForm: BodyForm? {
        if contains(.contentEncoding), BodyForm.hasCoding(self) { return nil }
        guard count(.contentType) == 1, let value = range(of: .contentType) else { return nil }
        // The common case, without parsing parameters.
        if bytes.span.extracting(value).equals("application/json") { return .json }
        let parts = bytes[value].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            .map { $0.trimming(ASCII.isBlank) }
        return parts.dropFirst().allSatisfy(BodyForm.isSupported) ? BodyForm(type: parts.first) : nil
    }
}
