import Text

/// The header fields that the code reads by name. The parser recognizes each once.
package enum HTTPFieldName: UInt8, Sendable {
    case accept
    case accessControlRequestHeaders
    case accessControlRequestMethod
    case apiKey
    case authorization
    case connection
    case contentEncoding
    case contentLength
    case contentType
    case expect
    case host
    case origin
    case requestID
    case serviceWorker
    case traceParent
    case transferEncoding
    case userAgent

    /// Recognizes a name in any letter case (RFC 9110 5.1); nil for a name that is not listed.
    package init?(_ name: Span<UInt8>) {
        switch name.count {
        case 4 where name.equalsIgnoringCase("host"): self = .host
        case 6 where name.equalsIgnoringCase("accept"): self = .accept
        case 6 where name.equalsIgnoringCase("expect"): self = .expect
        case 6 where name.equalsIgnoringCase("origin"): self = .origin
        case 9 where name.equalsIgnoringCase("x-api-key"): self = .apiKey
        case 10 where name.equalsIgnoringCase("connection"): self = .connection
        case 10 where name.equalsIgnoringCase("user-agent"): self = .userAgent
        case 11 where name.equalsIgnoringCase("traceparent"): self = .traceParent
        case 12 where name.equalsIgnoringCase("content-type"): self = .contentType
        case 12 where name.equalsIgnoringCase("x-request-id"): self = .requestID
        case 13 where name.equalsIgnoringCase("authorization"): self = .authorization
        case 14 where name.equalsIgnoringCase("content-length"): self = .contentLength
        case 14 where name.equalsIgnoringCase("service-worker"): self = .serviceWorker
        case 16 where name.equalsIgnoringCase("content-encoding"): self = .contentEncoding
        case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .transferEncoding
        case 29 where name.equalsIgnoringCase("access-control-request-method"): self = .accessControlRequestMethod
        case 30 where name.equalsIgnoringCase("access-control-request-headers"): self = .accessControlRequestHeaders
        default: return nil
        }
    }
}

/// A message's header fields in the order received. They are views of the message's bytes: repeated fields are not
/// joined, and values are not decoded or repaired.
package struct HTTPHeaders: Sendable {
    /// The buffer that holds the message from `base` on; `range(of:)` returns indices into it.
    package var bytes: [UInt8]
    package var base: Int
    package var fields: FieldTable

    /// Creates the fields of a message that begins at `base` in `bytes`.
    package init(bytes: [UInt8], base: Int, fields: FieldTable) {
        self.bytes = bytes
        self.base = base
        self.fields = fields
    }

    /// Creates fields from names and values, for tests of a handler. Nothing is checked.
    package init(_ fields: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var table = FieldTable()
        for (name, value) in fields {
            let start = bytes.count
            bytes.append(contentsOf: name.utf8)
            let middle = bytes.count
            bytes.append(contentsOf: value.utf8)
            table.append(
                FieldTable.Field(
                    name: ByteRange(start, middle), value: ByteRange(middle, bytes.count),
                    known: HTTPFieldName(name.utf8.span)))
        }
        self.init(bytes: bytes, base: 0, fields: table)
    }

    /// Whether a field with this name exists.
    package func contains(_ name: HTTPFieldName) -> Bool { fields.contains(name) }

    /// The range in `bytes` of the first field value with this name.
    package func range(of name: HTTPFieldName) -> Range<Int>? {
        fields.index(of: name).map { fields[$0].value.offset(by: base) }
    }

    /// The value of the first field with this name.
    package func first(_ name: HTTPFieldName) -> ArraySlice<UInt8>? {
        range(of: name).map { bytes[$0] }
    }

    /// The value of the first field with this name, its blanks folded as S3 folds them; nil without one.
    ///
    /// - Parameter name: in lower case.
    package func text(_ name: String) -> String? {
        let span = bytes.span
        for index in 0..<fields.count
        where span.extracting(fields[index].name.offset(by: base)).equalsIgnoringCase(name.utf8.span) {
            let value = bytes[fields[index].value.offset(by: base)]
            return String(decoding: Array(value).collapsingBlanks(), as: UTF8.self)
        }
        return nil
    }

    /// Whether the client authenticates with user name and password (RFC 7617).
    package var haveBasicCredentials: Bool {
        guard let range = range(of: .authorization) else { return false }
        return bytes.span.extracting(range).startsIgnoringCase(with: "basic ")
    }

    /// Whether they announce that the request has no body.
    package var announceNoBody: Bool {
        guard !contains(.transferEncoding) else { return false }
        return first(.contentLength).map { $0.span.equals("0") } ?? true
    }

    /// Headers of proxies and tunnels, behind which a client of another machine has an address of this one.
    private static let forwarding = [
        "forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "cf-connecting-ip",
    ]

    /// Whether a proxy or a tunnel says that it has forwarded the request.
    package var showForwarding: Bool { Self.forwarding.contains { text($0) != nil } }

    /// The number of fields with this name. A security decision should reject a repeated field instead of using the
    /// first.
    package func count(_ name: HTTPFieldName) -> Int { fields.count(name) }

    /// The values of all fields with this name, in order.
    package func values(_ name: HTTPFieldName) -> [ArraySlice<UInt8>] {
        (0..<fields.count).filter { fields[$0].known == name }.map { self[$0].value }
    }

    /// Calls `body` for each field in order, with its index, its name as received, and its value.
    package func forEach(_ body: (_ index: Int, _ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
        let span = bytes.span
        for index in 0..<fields.count {
            let field = fields[index]
            body(index, span.extracting(field.name.offset(by: base)), span.extracting(field.value.offset(by: base)))
        }
    }
}

extension HTTPHeaders: RandomAccessCollection {
    /// Always 0.
    package var startIndex: Int { 0 }
    /// The number of fields.
    package var endIndex: Int { fields.count }

    /// A field's name as received and its value.
    package subscript(position: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        let field = fields[position]
        return (bytes[field.name.offset(by: base)], bytes[field.value.offset(by: base)])
    }
}
