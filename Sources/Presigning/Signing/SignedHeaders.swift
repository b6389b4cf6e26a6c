import Text

/// The signed headers of a request without `host`. The client must send them with exactly these values.
///
/// Headers are in canonical form: names in lower case and sorted, values trimmed and every run of blanks replaced by
/// one space.
public struct SignedHeaders: Sendable, Hashable {
    /// A signed header.
    public struct Header: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value in canonical form.
        public let value: String
    }

    /// The headers of a request that signs only `host`.
    public static let none = SignedHeaders(sorted: [])

    /// The headers, sorted by name.
    public let headers: [Header]
    /// The canonical lines without the `host` line. Each ends with a line feed.
    private let lines: [UInt8]
    /// The index in `lines` where the `host` line belongs.
    private let hostLineIndex: Int
    /// All names including `host`, separated by `;`.
    let names: [UInt8]

    private init(sorted headers: [Header]) {
        let hostIndex = headers.firstIndex { $0.name > "host" } ?? headers.count
        let (before, after) = (Self.lines(of: headers[..<hostIndex]), Self.lines(of: headers[hostIndex...]))
        self.headers = headers
        lines = before + after
        hostLineIndex = before.count
        var names = headers.map(\.name)
        names.insert("host", at: hostIndex)
        self.names = Array(names.joined(separator: ";").utf8)
    }

    private static func lines(of headers: ArraySlice<Header>) -> [UInt8] {
        var lines: [UInt8] = []
        for header in headers {
            lines.append(header.name.utf8.span)
            lines.append(ASCII.colon)
            lines.append(header.value.utf8.span)
            lines.append(ASCII.lineFeed)
        }
        return lines
    }

    /// Appends the canonical lines of all headers including `host`.
    ///
    /// - Parameter hostLine: the `host` line with its line feed.
    func appendLines(withHostLine hostLine: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(lines.span.extracting(..<hostLineIndex))
        bytes.append(hostLine)
        bytes.append(lines.span.extracting(hostLineIndex...))
    }

    /// Validates headers and converts them to canonical form.
    ///
    /// - Throws: `StorageError.validation` for a name that is not a token (RFC 9110, section 5.6.2) or a duplicate, for
    ///   `host` and headers reserved for the signature, for headers that S3 ignores, and for values that are not
    ///   printable ASCII.
    public init(_ pairs: some Sequence<(name: String, value: String)>) throws(StorageError) {
        var headers: [Header] = []
        for (name, value) in pairs {
            let name = HeaderRules.lowercased(name)
            try HeaderRules.validate(name: name)
            headers.append(Header(name: name, value: try HeaderRules.canonical(value, of: name)))
        }
        // Names are ASCII now, so the order of strings is the order of bytes.
        headers.sort { $0.name < $1.name }
        for (first, second) in zip(headers, headers.dropFirst()) where first.name == second.name {
            throw .invalid("headers.\(first.name)", "It is a duplicate.", "Keep one; header names ignore case.")
        }
        self.init(sorted: headers)
    }
}
