import Text

/// Splits the content of an HTML form into fields and a file as it arrives (RFC 7578, RFC 2046 section 5.1).
///
/// It holds at most ``maximumFieldBytes``: the file is returned in pieces. As in S3, nothing after the file counts.
struct FormParser: Sendable {
    enum Event: Equatable {
        /// A field that precedes the file, with its name in lower case.
        case field(name: [UInt8], value: [UInt8])
        /// The file begins.
        case file
        /// A piece of the file's content.
        case content(ArraySlice<UInt8>)
    }

    private enum State: Equatable {
        case preamble
        /// After a delimiter: a line break starts a part, two hyphens end the form.
        case delimiterEnd
        case head
        case value(name: [UInt8])
        case file
        case end(hasFile: Bool)
    }

    /// The maximum size of everything before the file, in bytes, as in S3.
    static let maximumFieldBytes = 20 * 1024
    private static let lineBreak = [ASCII.carriageReturn, ASCII.lineFeed]
    private static let fileName = Array("file".utf8)

    /// A line break, two hyphens and the boundary. Only its first byte is CR, so after a mismatch no suffix of what
    /// matched can begin a delimiter.
    private let delimiter: [UInt8]
    /// How many bytes of the delimiter the consumed input ends with.
    private var matched: Int
    private var state = State.preamble
    /// The incomplete head of a part, value of a field, or end of a delimiter.
    private var pending: [UInt8] = []
    /// The bytes before the file that were received and kept.
    private(set) var fieldBytes = 0

    /// - Parameter contentType: the value of `Content-Type`; the parser is nil unless it is a form with a boundary.
    init?(contentType: [UInt8]) {
        guard
            contentType.prefix(while: { $0 != UInt8(ascii: ";") }).trimmed.span.equalsIgnoringCase(
                "multipart/form-data"),
            let boundary = Self.parameter("boundary", of: contentType), 1...70 ~= boundary.count,
            boundary.allSatisfy(ASCII.isPrintable)
        else { return nil }
        delimiter = Self.lineBreak + Array("--".utf8) + boundary
        // The first delimiter needs no line break before it.
        matched = Self.lineBreak.count
    }

    /// Whether the whole file was received.
    var hasFile: Bool { state == .end(hasFile: true) }

    /// Returns the next event and removes what it consists of from `input`; nil once `input` is used up.
    mutating func next(_ input: inout ArraySlice<UInt8>) throws(S3Error) -> Event? {
        while true {
            if matched == delimiter.count {
                if let field = endOfPart() { return field }
                continue
            }
            guard let byte = input.first else { return nil }
            switch state {
            case .end:
                input = []
            case .delimiterEnd:
                input.removeFirst()
                try endDelimiter(byte)
            case .head:
                input.removeFirst()
                if try addToHead(byte) { return .file }
            case .preamble, .value, .file:
                if let event = try nextContent(&input) { return event }
            }
        }
    }

    /// Reads content up to the next delimiter. Returns a piece of the file.
    private mutating func nextContent(_ input: inout ArraySlice<UInt8>) throws(S3Error) -> Event? {
        let piece = takeContent(&input)
        switch state {
        case .file: return piece.isEmpty ? nil : .content(piece)
        case .value:
            try hold(piece)
            pending += piece
        default: break
        }
        return nil
    }

    /// Returns the next bytes that do not belong to a delimiter, as many as there are; possibly none.
    private mutating func takeContent(_ input: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let received = input
        let bytes = received.span
        guard matched == 0 else {
            let found = matched + delimiterBytes(in: bytes, at: 0, from: matched)
            input = input.dropFirst(found - matched)
            matched = found == delimiter.count || input.isEmpty ? found : 0
            return matched == 0 ? delimiter[..<found] : []
        }
        var end = 0
        while true {
            end = bytes.position(of: ASCII.carriageReturn, from: end)
            let found = delimiterBytes(in: bytes, at: end, from: 0)
            if end + found == bytes.count || found == delimiter.count {
                defer { input = input.dropFirst(end + found) }
                matched = found
                return input.prefix(end)
            }
            end += found
        }
    }

    /// Returns how many bytes of the delimiter, from `first` on, are at an index of the input.
    private func delimiterBytes(in input: Span<UInt8>, at index: Int, from first: Int) -> Int {
        var count = 0
        while index + count < input.count, first + count < delimiter.count,
            input[index + count] == delimiter[first + count]
        {
            count += 1
        }
        return count
    }

    /// Ends a part at a delimiter. Returns the field that it was, if it was one.
    private mutating func endOfPart() -> Event? {
        matched = 0
        defer { pending = [] }
        switch state {
        case .file:
            state = .end(hasFile: true)
            return nil
        case .value(let name):
            state = .delimiterEnd
            return .field(name: name, value: pending)
        default:
            state = .delimiterEnd
            return nil
        }
    }

    private mutating func endDelimiter(_ byte: UInt8) throws(S3Error) {
        if pending.isEmpty, ASCII.isBlank(byte) { return }
        pending.append(byte)
        guard pending.count == 2 else { return }
        switch pending {
        case Self.lineBreak: state = .head
        case Array("--".utf8): state = .end(hasFile: false)
        default: throw Self.malformed
        }
        pending = []
    }

    /// Adds a byte to the head of a part. Returns true once a file begins.
    private mutating func addToHead(_ byte: UInt8) throws(S3Error) -> Bool {
        try hold([byte])
        pending.append(byte)
        guard pending.suffix(4).elementsEqual(Self.lineBreak + Self.lineBreak) else { return false }
        guard let name = Self.name(inHead: pending) else { throw Self.malformed }
        pending = []
        state = name == Self.fileName ? .file : .value(name: name)
        return state == .file
    }

    /// Counts bytes that must be kept.
    private mutating func hold(_ bytes: ArraySlice<UInt8>) throws(S3Error) {
        fieldBytes += bytes.count
        guard fieldBytes <= Self.maximumFieldBytes else {
            throw S3Error(
                400, "MaxPostPreDataLengthExceeded",
                "Your POST request fields preceding the upload file were too large.",
                [("MaxPostPreDataLengthBytes", Array("\(Self.maximumFieldBytes)".utf8))])
        }
    }

    private static let malformed = S3Error(
        400, "MalformedPOSTRequest", "The body of your POST request is not well-formed multipart/form-data.")
}

extension FormParser {
    /// Returns the name of a part in lower case; nil if its head has none.
    private static func name(inHead head: [UInt8]) -> [UInt8]? {
        for line in head.split(separator: ASCII.lineFeed) {
            let field = line.prefix { $0 != UInt8(ascii: ":") }
            guard field.span.equalsIgnoringCase("content-disposition") else { continue }
            return parameter("name", of: Array(line.dropFirst(field.count + 1).trimmed)).map { ASCII.lowercased($0) }
        }
        return nil
    }

    /// Returns a parameter of a header's value such as `form-data; name="key"`; nil if it is missing or empty.
    private static func parameter(_ wanted: StaticString, of value: [UInt8]) -> [UInt8]? {
        var rest = value.drop { $0 != UInt8(ascii: ";") }
        while !rest.isEmpty {
            rest = rest.dropFirst().drop(while: ASCII.isBlank)
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
            rest = rest.dropFirst(name.count)
            var text: ArraySlice<UInt8> = []
            if rest.first == UInt8(ascii: "=") {
                rest = rest.dropFirst()
                let isQuoted = rest.first == UInt8(ascii: "\"")
                if isQuoted { rest = rest.dropFirst() }
                text = rest.prefix { $0 != (isQuoted ? UInt8(ascii: "\"") : UInt8(ascii: ";")) }
                rest = rest.dropFirst(text.count).drop { $0 != UInt8(ascii: ";") }
                if !isQuoted { text = text.trimmed }
            }
            if name.trimmed.span.equalsIgnoringCase(wanted) { return text.isEmpty ? nil : Array(text) }
        }
        return nil
    }
}
