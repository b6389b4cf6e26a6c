import DataFormats

/// The requests of a batch in its body: `{"requests":[ITEM, ...]}`.
///
/// The syntax of the whole body is checked before the first item is decided, so that a malformed body has no effects.
/// What an item holds is not judged here: each is decided on its own.
package struct BatchItems {
    /// Requests of one batch.
    package static let possible = 1...1000

    /// The bytes of each item, in order; indices of the body.
    package private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - body: a JSON text
    ///   - limit: the most bytes that the body may have
    /// - Throws: `Problem` 400 if the body is malformed or is not a batch.
    package init(_ body: ArraySlice<UInt8>, limit: Int) throws(Problem) {
        guard !body.isEmpty else { throw .validation([FieldFailure("", "the body is empty")], recovery: Self.form) }
        let failures: [FieldFailure]
        do throws(SyntaxError) {
            failures = try read(body, limit)
        } catch {
            throw .validation([FieldFailure("", "the body is malformed: \(error)")], recovery: Self.form)
        }
        guard failures.isEmpty else { throw .validation(failures, recovery: Self.form) }
    }

    private static let form = #"Send {"requests":[...]} with 1 to 1000 bodies of POST /presign."#
    /// A response lists no more unknown fields than this, so that it does not outgrow its request.
    private static let maximumFailures = 16
    /// An item may nest as deeply as if it were sent alone: there it is refused by name.
    private static let depth = JSONLimits().depth + 2

    /// - Returns: what is wrong with the batch beside its items.
    private mutating func read(_ body: ArraySlice<UInt8>, _ limit: Int) throws(SyntaxError) -> [FieldFailure] {
        var failures: [FieldFailure] = []
        var requests: FieldFailure? = FieldFailure("requests", "is missing; give an array of requests")
        var reader = try JSONReader(body, limits: JSONLimits(size: limit, depth: Self.depth))
        try reader.readObject { reader, name throws(SyntaxError) in
            if name.elementsEqual("requests".utf8) {
                requests = try readItems(&reader)
                return
            }
            try reader.skipValue()
            if failures.count < Self.maximumFailures {
                let given = String(decoding: name.prefix(64), as: UTF8.self)
                failures.append(FieldFailure(given, "unknown field; a batch has only requests"))
            }
        }
        try reader.end()
        if let requests { failures.append(requests) }
        return failures
    }

    /// - Returns: what is wrong with the array of requests.
    private mutating func readItems(_ reader: inout JSONReader) throws(SyntaxError) -> FieldFailure? {
        guard reader.current == UInt8(ascii: "[") else {
            try reader.skipValue()
            return FieldFailure("requests", "must be an array of requests")
        }
        var count = 0
        try reader.readArray { reader throws(SyntaxError) in
            let start = reader.position
            try reader.skipValue()
            count += 1
            if count <= Self.possible.upperBound { ranges.append(start..<reader.position) }
        }
        if count == 0 { return FieldFailure("requests", "is empty; give at least one request") }
        guard count <= Self.possible.upperBound else {
            return FieldFailure(
                "requests", "has \(count) requests; send at most \(Self.possible.upperBound) at a time")
        }
        return nil
    }
}
