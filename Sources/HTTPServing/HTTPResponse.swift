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
    public mutating func add(_ name: StaticString, _ value: some Sequence<UInt8>) -> Bool {
        // The text of a StaticString lives as long as the program.
        let text = unsafe UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return unsafe add(name: text, value)
    }

    /// Adds a field whose name is known at run time only; see the other `add`.
    @discardableResult
    public mutating func add(name: some Collection<UInt8>, _ value: some Sequence<UInt8>) -> Bool {
        guard Self.isAllowed(name: name) else { return false }
        let start = fields.count
        fields.append(contentsOf: name)
        fields.append(ASCII.colon)
        fields.append(ASCII.space)
        let valueStart = fields.count
        fields.append(contentsOf: value)
        for index in valueStart..<fields.count where !ASCII.isFieldContent(fields[index]) {
            fields.removeSubrange(start...)
            return false
        }
        fields.append(ASCII.carriageReturn)
        fields.append(ASCII.lineFeed)
        return true
    }

    /// Adds a field whose value is a text; see the other `add`.
    @discardableResult
    public mutating func add(_ name: StaticString, _ value: String) -> Bool { add(name, value.utf8) }

    private static func isAllowed(name: some Collection<UInt8>) -> Bool {
        guard !name.isEmpty, name.allSatisfy(ASCII.isToken) else { return false }
        let reserved: [StaticString] = ["date", "content-length", "connection", "transfer-encoding"]
        return !reserved.contains { word in
            // As above.
            guard word.utf8CodeUnitCount == name.count else { return false }
            let text = unsafe UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            return unsafe name.elementsEqual(text) { ASCII.lowercased($0) == $1 }
        }
    }
}
