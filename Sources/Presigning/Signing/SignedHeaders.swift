import Text

/// The headers that are signed besides `host`, and that the client therefore has to send as they stand here.
///
/// Names are lower case and sorted; values are trimmed and every run of blanks is one blank, the canonical form, which
/// is safe to send.
public struct SignedHeaders: Sendable, Hashable {
    /// One header.
    public struct Header: Sendable, Hashable {
        /// The name in lower case.
        public let name: String
        /// The value in canonical form.
        public let value: String
    }

    /// No header but `host`.
    public static let none = SignedHeaders(sorted: [])

    /// The headers, sorted by name.
    public let headers: [Header]
    /// The canonical lines, each with its line feed, without that of `host`.
    private let lines: [UInt8]
    /// Where the line of `host` belongs in `lines`.
    private let hostLineIndex: Int
    /// All names, `host` among them, with `;` between them.
    let names: [UInt8]

    private init(sorted headers: [Header]) {
        let before = headers.prefix { $0.name.utf8.lexicographicallyPrecedes("host".utf8) }
        let after = headers.dropFirst(before.count)
        let names = before.map(\.name) + ["host"] + after.map(\.name)
        self.headers = headers
        let linesBeforeHost = before.flatMap { Array("\($0.name):\($0.value)\n".utf8) }
        lines = linesBeforeHost + after.flatMap { Array("\($0.name):\($0.value)\n".utf8) }
        hostLineIndex = linesBeforeHost.count
        self.names = Array(names.joined(separator: ";").utf8)
    }

    /// Appends the canonical lines of all headers.
    ///
    /// - Parameter hostLine: the line of `host`, with its line feed.
    func appendLines(withHostLine hostLine: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(lines.span.extracting(..<hostLineIndex))
        bytes.append(hostLine)
        bytes.append(lines.span.extracting(hostLineIndex...))
    }

    /// Checks headers and brings them into canonical form.
    ///
    /// - Throws: `StorageError.validation` for a name that is no token (RFC 9110) or given twice, a header the client
    ///   or the signature owns, one that is not known to matter to S3, and a value that is not printable ASCII.
    public init(_ pairs: some Sequence<(name: String, value: String)>) throws(StorageError) {
        var headers: [Header] = []
        for (name, value) in pairs {
            let name = HeaderRules.lowercased(name)
            try HeaderRules.validate(name: name)
            headers.append(Header(name: name, value: try HeaderRules.canonical(value, of: name)))
        }
        headers.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for (first, second) in zip(headers, headers.dropFirst()) where first.name == second.name {
            throw .invalid("headers.\(first.name)", "It is given twice.", "Give it once; names do not differ by case.")
        }
        self.init(sorted: headers)
    }
}
