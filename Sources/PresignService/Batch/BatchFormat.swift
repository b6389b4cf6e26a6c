import HTTP1
import Text

/// The requests of a batch, and how its response is written: presign's own format, or that of Git LFS.
protocol BatchFormat: Sendable {
    /// The number of requests, at least 1.
    var count: Int { get }
    /// The header fields of the response.
    var fields: HTTPFields { get }
    /// What the response's body begins and ends with; its results are separated by commas.
    var start: StaticString { get }
    var end: StaticString { get }

    /// Returns what the request with this index is decoded from.
    func source(of index: Int) -> PresignSource
    /// Whether a refusal of one request is the response to all of them.
    func refusesAll(_ problem: Problem) -> Bool
    /// Appends the result of the request with this index.
    func append(_ presigned: PresignResponse, of index: Int, to body: inout ByteBuffer)
    /// Appends the result of the upload with this index if the storage has the object.
    func appendStored(_ index: Int, to body: inout ByteBuffer)
    /// Appends the refusal of the request with this index.
    func append(_ problem: Problem, of index: Int, requestID: RequestID, to body: inout ByteBuffer)
}

/// `POST /presign/batch`: the result of each item is the response that `POST /presign` would give, or its error.
struct PresignBatch: BatchFormat {
    private let body: [UInt8]
    private let items: BatchItems

    /// - Parameter limit: the maximum size of the body, in bytes.
    /// - Throws: `Problem` 400 if the body is malformed or is not a batch.
    init(_ body: [UInt8], limit: Int) throws(Problem) {
        self.body = body
        items = try BatchItems(body[...], limit: limit)
    }

    var count: Int { items.ranges.count }
    var fields: HTTPFields { .json }
    var start: StaticString { #"{"results":["# }
    var end: StaticString { "]}\n" }

    func source(of index: Int) -> PresignSource { .item(body[items.ranges[index]]) }

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
