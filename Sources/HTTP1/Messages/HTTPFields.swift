import Text

/// Serialized header fields, `name: value CRLF` each: those of one response, or fields that several responses share.
package struct HTTPFields: Sendable {
    /// The fields, concatenated.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty list.
    package init() {}

    /// Creates a list from serialized fields, each ending in CRLF, that are known to be allowed.
    package init(known bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a list and adds each field; see `add`.
    package init(_ fields: [(name: StaticString, value: String)]) {
        for (name, value) in fields { add(name, value.utf8.span) }
    }

    /// Adds a field and returns true, or returns false if the field is not allowed: its value contains a control
    /// character such as CR, LF or NUL (response splitting), its name is not a token, or the server itself writes that
    /// field.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: Span<UInt8>) -> Bool {
        let start = bytes.count
        bytes.append(name)
        return finishField(from: start, value)
    }

    /// Adds a field whose name is only known at run time; see the other `add`.
    @discardableResult
    package mutating func add(name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        let start = bytes.count
        bytes.append(name)
        return finishField(from: start, value)
    }

    /// Adds the fields of another list, which are already validated.
    package mutating func append(_ other: HTTPFields) {
        bytes.append(other.bytes.span)
    }

    /// Appends the value to the name that begins at `start`, or removes both if the field is not allowed.
    private mutating func finishField(from start: Int, _ value: Span<UInt8>) -> Bool {
        let nameCount = bytes.count - start
        bytes.append(": ")
        bytes.append(value)
        guard Self.isAllowed(bytes.span.extracting(start...), nameCount: nameCount) else {
            bytes.removeLast(bytes.count - start)
            return false
        }
        bytes.append("\r\n")
        return true
    }

    /// Whether a field may be sent. `field` is its name, a colon, a space and its value.
    private static func isAllowed(_ field: Span<UInt8>, nameCount: Int) -> Bool {
        guard field.positionOfControl(from: nameCount + 2) == field.count else { return false }
        let name = field.extracting(first: nameCount)
        return switch HTTPFieldName(name) {
        case .connection, .contentLength, .transferEncoding: false
        case .none: !name.isEmpty && name.isToken && !name.equalsIgnoringCase("date")
        default: true
        }
    }
}
