package import System
package import Text

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
    package var content: FinishedBytes
    /// The content, if it comes from a file; it replaces `content`.
    package var file: HTTPFile?
    /// The length in bytes that a response to HEAD states, if its content is elsewhere. Other responses ignore it.
    package var statedLength: Int?

    /// Creates a response.
    package init(status: Int, fields: HTTPFields = HTTPFields(), content: FinishedBytes) {
        self.status = status
        self.fields = fields
        self.content = content
    }

    /// Creates a response with an array as its content.
    package init(status: Int, fields: HTTPFields = HTTPFields(), body: [UInt8] = []) {
        self.init(status: status, fields: fields, content: FinishedBytes(body))
    }

    /// The content as an array.
    package var body: [UInt8] {
        get { content.array }
        set { content = FinishedBytes(newValue) }
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

    /// The properties of a request and its connection that decide how its response is written.
    package struct Form {
        /// Sends the length of the body but not the body, as for HEAD.
        package var omitsBody = false
        /// Announces that the connection closes after this response.
        package var closes = false
        /// Announces that the connection stays open, which HTTP/1.0 clients do not assume.
        package var announcesKeepAlive = false

        /// Creates a form; by default an HTTP/1.1 response with its body, on a connection that stays open.
        package init(omitsBody: Bool = false, closes: Bool = false, announcesKeepAlive: Bool = false) {
            self.omitsBody = omitsBody
            self.closes = closes
            self.announcesKeepAlive = announcesKeepAlive
        }
    }

    /// Returns the file to send after the serialized response; nil if no file content follows.
    package func file(after form: Form) -> HTTPFile? {
        form.omitsBody || status == 204 || status == 304 || file?.range.isEmpty == true ? nil : file
    }

    /// Appends the response to `output`, except for the content of its file.
    package func serialize(as form: Form, date: [UInt8], to output: inout [UInt8]) {
        // A 1xx response has no body, so sending one would break the framing; other numbers are not status codes.
        let status = (200...599).contains(status) ? status : 500
        // RFC 9110 8.6: 204 must not have Content-Length, and on 304 it would be the length of the 200 response.
        let hasBody = status != 204 && status != 304
        let length = (form.omitsBody ? statedLength : nil) ?? file?.range.count ?? content.count
        let sendsBody = hasBody && !form.omitsBody && file == nil
        let fields = fields.bytes.span
        let common = common.bytes.span
        let date = date.span
        output.append("HTTP/1.1 ")
        if let text = Self.codeAndPhrase(status) {
            output.append(text)
        } else {
            output.append(decimal: status)
            output.append(ASCII.space)
        }
        output.append("\r\nDate: ")
        output.append(date)
        if hasBody {
            output.append("\r\nContent-Length: ")
            output.append(decimal: length)
        }
        if form.closes {
            output.append("\r\nConnection: close")
        } else if form.announcesKeepAlive {
            output.append("\r\nConnection: keep-alive")
        }
        output.append("\r\n")
        output.append(fields)
        output.append(common)
        output.append("\r\n")
        if sendsBody { content.withSpan { output.append($0) } }
    }

    /// The status code and its reason phrase (RFC 9110 15); nil for rarely used codes, which are sent without a phrase.
    private static func codeAndPhrase(_ status: Int) -> StaticString? {
        switch status {
        case 200: "200 OK"
        case 201: "201 Created"
        case 202: "202 Accepted"
        case 204: "204 No Content"
        case 206: "206 Partial Content"
        case 304: "304 Not Modified"
        case 307: "307 Temporary Redirect"
        case 400: "400 Bad Request"
        case 401: "401 Unauthorized"
        case 403: "403 Forbidden"
        case 404: "404 Not Found"
        case 405: "405 Method Not Allowed"
        case 408: "408 Request Timeout"
        case 409: "409 Conflict"
        case 411: "411 Length Required"
        case 412: "412 Precondition Failed"
        case 413: "413 Content Too Large"
        case 414: "414 URI Too Long"
        case 415: "415 Unsupported Media Type"
        case 416: "416 Range Not Satisfiable"
        case 417: "417 Expectation Failed"
        case 421: "421 Misdirected Request"
        case 422: "422 Unprocessable Content"
        case 429: "429 Too Many Requests"
        case 431: "431 Request Header Fields Too Large"
        case 500: "500 Internal Server Error"
        case 501: "501 Not Implemented"
        case 502: "502 Bad Gateway"
        case 503: "503 Service Unavailable"
        case 504: "504 Gateway Timeout"
        case 505: "505 HTTP Version Not Supported"
        case 507: "507 Insufficient Storage"
        default: nil
        }
    }
}

/// A range of an open file that is the content of a response.
package struct HTTPFile: Sendable {
    package let file: OpenFile
    /// The bytes of the file to send.
    package let range: Range<Int>

    /// If the file is truncated below the end of `range`, the connection is closed in the middle of the response.
    package init(_ file: OpenFile, range: Range<Int>) {
        (self.file, self.range) = (file, range)
    }
}

/// The value of the Date field, reformatted only when the second changes.
package struct DateText: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var seconds: Int64 = -1

    /// Creates an empty text.
    package init() {}

    /// Updates the text to a time.
    ///
    /// - Parameter seconds: seconds since 1970-01-01T00:00:00Z.
    package mutating func update(to seconds: Int64) {
        guard seconds != self.seconds else { return }
        self.seconds = seconds
        bytes = HTTPDate.text(secondsSince1970: seconds)
    }
}
