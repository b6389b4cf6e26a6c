import DataFormats
import HTTP1
import Requests
import Text

/// `POST /presign/batch`, `{"requests":[ITEM, ...]}`: the result of each item is the response that `POST /presign` would
/// give, or its error.
///
/// Checks the syntax of the whole body before the first item is decided, so a malformed body has no effect. The content
/// of each item is checked later, when the item is decided.
package struct PresignBatch: BatchFormat {
    /// The number of requests in a batch.
    package static let possible = 1...1000

    private let body: ArraySlice<UInt8>
    /// The range of each item in the body, in order.
    package private(set) var ranges: [Range<Int>] = []

    /// - Parameters:
    ///   - body: the JSON text
    ///   - limit: the maximum size of the body, in bytes
    /// - Throws: `Problem` 400 if the body is malformed or is not a batch.
    package init(_ body: ArraySlice<UInt8>, limit: Int) throws(Problem) {
        self.body = body
        guard !body.isEmpty else { throw .emptyBody(.batch) }
        let failures: [FieldFailure]
        do throws(SyntaxError) {
            failures = try read(body, limit)
        } catch {
            throw .validation([FieldFailure("", "the body is malformed: \(error)")], recovery: Problem.sendBatch)
        }
        guard failures.isEmpty else { throw .validation(failures, recovery: Problem.sendBatch) }
    }

    /// Bounds the response, which lists unknown fields.
    private static let maximumFailures = 16
    /// Leaves each item the depth of a single request, whose decoder reports excess depth per item.
    private static let depth = JSONLimits().depth + 2

    /// - Returns: the errors outside the items.
    private mutating func read(_ body: ArraySlice<UInt8>, _ limit: Int) throws(SyntaxError) -> [FieldFailure] {
        var failures: [FieldFailure] = []
        var requests: FieldFailure? = FieldFailure("requests", "is missing; send an array of requests")
        var reader = try JSONReader(body, limits: JSONLimits(size: limit, depth: Self.depth))
        try reader.readObject { reader, name throws(SyntaxError) in
            if name.elementsEqual("requests".utf8) {
                requests = try readItems(&reader)
                return
            }
            try reader.skipValue()
            if failures.count < Self.maximumFailures {
                let given = String(decoding: name.prefix(64), as: UTF8.self)
                let mistake = given.isEmpty ? "the name of a field is empty" : "unknown field"
                failures.append(FieldFailure(given, mistake + "; a batch has only the field `requests`"))
            }
        }
        try reader.end()
        if let requests { failures.append(requests) }
        return failures
    }

    /// - Returns: the error in the array of requests, if any.
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
        if count == 0 { return FieldFailure("requests", "is empty; send at least one request") }
        guard count <= Self.possible.upperBound else {
            return FieldFailure(
                "requests", "has \(count) requests; send at most \(Self.possible.upperBound) in a batch")
        }
        return nil
    }
}

extension PresignBatch {
    var count: Int { ranges.count }
    var fields: HTTPFields { .json }
    var start: StaticString { #"{"results":["# }
    var end: StaticString { "]}\n" }

    func request(at index: Int, limit: Int) throws(Problem) -> PresignRequest {
        let text = body[ranges[index]]
        guard text.count <= limit else {
            throw Problem(
                413, .bodyTooLarge, "The body is too large",
                "The item is larger than \(limit) bytes, the limit for one request")
        }
        return try Problem.reporting { () throws(InvalidRequest) in
            try PresignRequest(json: text, from: .item, limit: limit)
        }
    }

    func refusesAll(_ problem: Problem) -> Bool { false }

    func append(_ presigned: PresignResponse, of index: Int, to body: inout ByteBuffer) {
        presigned.append(to: &body)
    }

    /// Never called: a path does not name its content.
    func appendStored(_ index: Int, to body: inout ByteBuffer) {}

    func append(_ problem: Problem, of index: Int, requestID: RequestID, to body: inout ByteBuffer) {
        body.append(#"{"error":"#)
        problem.append(to: &body, requestID: requestID, isItem: true)
        body.append("}")
    }
}
