/// An answer. The server adds Date, Content-Length and Connection, and leaves the body out where HTTP has none.
package struct HTTPResponse: Sendable {
    /// 200...599; anything else goes out as 500.
    package var status: Int
    /// The fields, but for those the server writes itself.
    package var fields: HTTPFields
    /// More fields, which follow those: what answers to the same request have in common, and share.
    package var common = HTTPFields()
    /// The content; also of an answer to HEAD, which goes out without it.
    package var body: [UInt8]
    /// The content in place of `body`.
    package var file: HTTPFile?

    /// An answer; without fields unless some are given.
    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Adds a field, unless it may not be sent; see `HTTPFields.add`. Returns whether it was added.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: Span<UInt8>) -> Bool { fields.add(name, value) }

    /// Adds a field whose value is in an array; see the other `add`.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: [UInt8]) -> Bool { fields.add(name, value.span) }

    /// Adds a field whose name is known at run time only; see the other `add`.
    @discardableResult
    package mutating func add(name: Span<UInt8>, _ value: Span<UInt8>) -> Bool { fields.add(name: name, value) }

    /// Adds a field whose value is a text; see the other `add`.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: String) -> Bool { fields.add(name, value.utf8.span) }
}
