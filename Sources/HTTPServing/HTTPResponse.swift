/// An answer. The server adds Date, Content-Length and Connection, and leaves the body out where HTTP has none.
public struct HTTPResponse: Sendable {
    /// 200...599; anything else goes out as 500.
    public var status: Int
    /// The fields as they go out, `name: value CRLF` each.
    public private(set) var fields: [UInt8] = []
    /// The content; also of an answer to HEAD, which goes out without it.
    public var body: [UInt8]
    /// The content in place of `body`.
    public var file: HTTPFile?
    /// Closes the connection after this answer, whatever the client asked for.
    public var closes = false

    /// An answer without fields.
    public init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    /// Adds a field, unless its value holds a control character (as CR, LF or NUL: response splitting), its name is no
    /// token, or it is one of those the server writes itself. Returns whether it was added.
    @discardableResult
    public mutating func add(_ name: StaticString, _ value: some Collection<UInt8>) -> Bool {
        let start = fields.count
        // The text of a StaticString lives as long as the program.
        unsafe fields.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        return finish(start, value)
    }

    /// Adds a field whose name is known at run time only; see the other `add`.
    @discardableResult
    public mutating func add(name: some Collection<UInt8>, _ value: some Collection<UInt8>) -> Bool {
        let start = fields.count
        fields.append(contentsOf: name)
        return finish(start, value)
    }

    /// Adds a field whose value is a text; see the other `add`.
    @discardableResult
    public mutating func add(_ name: StaticString, _ value: String) -> Bool { add(name, value.utf8) }

    /// The name stands at the end of `fields`, from `start` on.
    private mutating func finish(_ start: Int, _ value: some Collection<UInt8>) -> Bool {
        let nameEnd = fields.count
        fields.append(ASCII.colon)
        fields.append(ASCII.space)
        fields.append(contentsOf: value)
        guard Self.isAllowed(fields.span, name: start..<nameEnd) else {
            fields.removeSubrange(start...)
            return false
        }
        fields.append(ASCII.carriageReturn)
        fields.append(ASCII.lineFeed)
        return true
    }

    /// Whether a field, whose value goes up to the end of `bytes`, may be sent.
    private static func isAllowed(_ bytes: Span<UInt8>, name: Range<Int>) -> Bool {
        for index in name where !ASCII.isToken(bytes[index]) { return false }
        for index in (name.upperBound + 2)..<bytes.count where !ASCII.isFieldContent(bytes[index]) { return false }
        let range = ByteRange(name.lowerBound, name.upperBound)
        switch name.count {
        case 0: return false
        case 4: return !bytes.matches(range, "date")
        case 10: return !bytes.matches(range, "connection")
        case 14: return !bytes.matches(range, "content-length")
        case 17: return !bytes.matches(range, "transfer-encoding")
        default: return true
        }
    }
}
