import DataFormats
import Text

/// Where the requests of a batch stand in its body: `{"requests":[ITEM, ...]}`.
///
/// The whole body is found well-formed before the first item is looked at, so that a malformed one has no effects. What
/// an item holds is not judged here: each is decided on its own.
package struct BatchItems {
    /// Requests of one batch.
    package static let possible = 1...1000

    /// The bytes of each item, in order; indices of the body.
    package private(set) var ranges: [Range<Int>] = []
    private var count = 0

    /// - Parameters:
    ///   - body: a JSON text.
    ///   - limit: bytes of the whole body.
    /// - Throws: `Problem` 400 when the body is malformed, or is no batch.
    package init(_ body: ArraySlice<UInt8>, limit: Int) throws(Problem) {
        guard !body.isEmpty else { throw .validation([FieldFailure("", "the body is empty")], recovery: Self.form) }
        var mistakes: [FieldFailure] = []
        do throws(SyntaxError) {
            try read(body, limit, &mistakes)
        } catch {
            throw .validation([FieldFailure("", "the body is malformed: \(error)")], recovery: Self.form)
        }
        if mistakes.isEmpty, !Self.possible.contains(count) {
            let detail =
                count == 0
                ? "is empty; give at least one request"
                : "has \(count) requests; send at most \(Self.possible.upperBound) at a time"
            mistakes.append(FieldFailure("requests", detail))
        }
        guard mistakes.isEmpty else { throw .validation(mistakes, recovery: Self.form) }
    }

    private static let form = #"Send {"requests":[...]} with 1 to 1000 bodies of POST /presign."#
    /// An item may nest as deeply as if it were sent alone: there it is refused by name.
    private static let depth = JSONLimits().depth + 2

    private mutating func read(
        _ body: ArraySlice<UInt8>, _ limit: Int, _ mistakes: inout [FieldFailure]
    ) throws(SyntaxError) {
        let text = body.span
        var cursor = try JSONCursor(text, limits: JSONLimits(size: limit, depth: Self.depth))
        var seen = SeenNames()
        var (isFirst, isFound) = (true, false)
        cursor.skipSpace(text)
        try cursor.expect(UInt8(ascii: "{"), text, else: "an object is expected")
        while let name = try cursor.nextName(text, isFirst: isFirst, seen: &seen) {
            isFirst = false
            guard name.read(text, cursor.decoded, { $0.equals("requests") }) else {
                if mistakes.count < Self.maximumMistakes {
                    let given = String(decoding: name.copy(text, cursor.decoded).prefix(64), as: UTF8.self)
                    mistakes.append(FieldFailure(given, "is no member of a batch; there is only requests"))
                }
                try cursor.skipValue(text, depth: Self.depth - 1)
                continue
            }
            isFound = true
            if cursor.current(text) == UInt8(ascii: "[") {
                try takeItems(text, at: body.startIndex, &cursor)
            } else {
                try cursor.skipValue(text, depth: Self.depth - 1)
                mistakes.append(FieldFailure("requests", "must be an array of requests"))
            }
        }
        try cursor.expectEnd(text)
        if !isFound { mistakes.append(FieldFailure("requests", "is missing; give an array of requests")) }
    }

    /// - Parameter base: where the text starts in the body.
    private mutating func takeItems(
        _ text: Span<UInt8>, at base: Int, _ cursor: inout JSONCursor
    ) throws(SyntaxError) {
        cursor.offset += 1
        while try cursor.nextItem(text, isFirst: count == 0) {
            let start = cursor.offset
            try cursor.skipValue(text, depth: Self.depth - 2)
            count += 1
            if count <= Self.possible.upperBound { ranges.append((base + start)..<(base + cursor.offset)) }
        }
    }

    /// More unknown members are not collected: an answer must not outgrow its question.
    private static let maximumMistakes = 16
}
