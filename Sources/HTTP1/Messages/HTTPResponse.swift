/// A response. The server adds Date, Content-Length and Connection, and omits the body where HTTP does not allow one.
package struct HTTPResponse: Sendable {
    /// The status code, 200...599; any other value is sent as 500.
    package var status: Int
    /// The header fields, except those that the server adds.
    package var fields: HTTPFields
    /// Header fields that all responses to the same request share; they are sent after `fields`.
    package var common = HTTPFields()
    /// Whether `fields` has a `Cache-Control`, so that `common` must not have another.
    package var isCacheable = false
    /// The content. For HEAD it is the content of the equivalent GET; the server sends only its length.
    package var body: [UInt8]
    /// The content, if it comes from a file; it replaces `body`.
    package var file: HTTPFile?

    /// Creates a response.
    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// Adds a field and returns true, or returns false if the field is not allowed; see `HTTPFields.add`.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: Span<UInt8>) -> Bool { fields.add(name, value) }

    /// Adds a field with an array as its value; see the other `add`.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: [UInt8]) -> Bool { fields.add(name, value.span) }

    /// Adds a field whose name is only known at run time; see the other `add`.
    @discardableResult
    package mutating func add(name: Span<UInt8>, _ value: Span<UInt8>) -> Bool { fields.add(name: name, value) }

    /// Adds a field with a string as its value; see the other `add`.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: String) -> Bool { fields.add(name, value.utf8.span) }
}
