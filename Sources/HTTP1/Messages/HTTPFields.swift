import Text

/// Header fields as they go out, `name: value CRLF` each: those of one answer, or some that many have in common.
package struct HTTPFields: Sendable {
    /// The fields one after the other.
    package private(set) var bytes: [UInt8] = []

    /// No fields.
    package init() {}

    /// Fields as they go out, each with its line's end, that are known to be allowed.
    package init(known bytes: [UInt8]) { self.bytes = bytes }

    /// Some fields; see `add`.
    package init(_ fields: [(name: StaticString, value: String)]) {
        for (name, value) in fields { add(name, value.utf8.span) }
    }

    /// Adds a field, unless its value holds a control character (as CR, LF or NUL: response splitting), its name is no
    /// token, or it is one of those the server writes itself. Returns whether it was added.
    @discardableResult
    package mutating func add(_ name: StaticString, _ value: Span<UInt8>) -> Bool {
        let start = bytes.count
        bytes.append(name)
        return finishField(from: start, value)
    }

    /// Adds a field whose name is known at run time only; see the other `add`.
    @discardableResult
    package mutating func add(name: Span<UInt8>, _ value: Span<UInt8>) -> Bool {
        let start = bytes.count
        bytes.append(name)
        return finishField(from: start, value)
    }

    /// Adds fields that were added to others, and so are known to be allowed.
    package mutating func append(_ other: HTTPFields) {
        bytes.append(other.bytes.span)
    }

    /// Adds the value to a name that was appended at `start`, or removes both if the field is not allowed.
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

    /// Whether a field may be sent: its name, a colon, a blank, and its value.
    private static func isAllowed(_ field: Span<UInt8>, nameCount: Int) -> Bool {
        guard field.firstControl(from: nameCount + 2) == field.count else { return false }
        let name = field.extracting(first: nameCount)
        return switch HTTPFieldName(name) {
        case .connection, .contentLength, .transferEncoding: false
        case .none: !name.isEmpty && name.isToken && !name.equalsIgnoringCase("date")
        default: true
        }
    }
}
