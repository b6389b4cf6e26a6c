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
    public static var none: SignedHeaders { SignedHeaders(sorted: []) }

    /// What is worked out, behind one reference, so that headers are cheap to pass on; `nil` without any.
    package let parts: Parts?

    /// The headers, sorted by name.
    public var headers: [Header] { parts?.headers ?? [] }

    private init(sorted headers: [Header]) {
        parts = headers.isEmpty ? nil : Parts(headers)
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

    /// Headers with the same names and values are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.parts === right.parts || left.headers == right.headers
    }

    /// As `==` demands.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(headers)
    }

    package final class Parts: Sendable {
        let headers: [Header]
        /// The canonical lines before and after that of `host`, each with its line feed.
        let linesBeforeHost: [UInt8]
        let linesAfterHost: [UInt8]
        /// All names with `;` between them, `host` among them; and the same as it stands in a query.
        let names: [UInt8]
        let encodedNames: [UInt8]
        /// The bytes of all of them.
        let count: Int

        init(_ headers: [Header]) {
            let split = headers.prefix { $0.name.utf8.lexicographicallyPrecedes("host".utf8) }.count
            let sortedNames = headers.prefix(split).map(\.name) + ["host"] + headers.dropFirst(split).map(\.name)
            self.headers = headers
            linesBeforeHost = headers.prefix(split).flatMap { Array("\($0.name):\($0.value)\n".utf8) }
            linesAfterHost = headers.dropFirst(split).flatMap { Array("\($0.name):\($0.value)\n".utf8) }
            names = Array(sortedNames.joined(separator: ";").utf8)
            encodedNames = PercentEncoding.query.encode(names)
            count = linesBeforeHost.count + linesAfterHost.count + names.count + encodedNames.count
        }
    }
}
