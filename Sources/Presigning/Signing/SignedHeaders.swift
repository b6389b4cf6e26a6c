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
    /// The index in `headers` at which `host` belongs.
    private let hostIndex: Int

    private init(sorted headers: [Header]) {
        self.headers = headers
        hostIndex = headers.firstIndex { $0.name > "host" } ?? headers.count
    }

    /// Validates headers and converts them to canonical form.
    ///
    /// - Throws: `StorageError.validation` for a name that is not a token (RFC 9110, section 5.6.2) or a duplicate, for
    ///   `host` and headers reserved for the signature, for headers that S3 ignores, and for values that are not
    ///   printable ASCII.
    public init(_ pairs: some Sequence<(name: String, value: String)>) throws(StorageError) {
        var headers: [Header] = []
        headers.reserveCapacity(pairs.underestimatedCount)
        for (name, value) in pairs {
            let name = HeaderRules.lowercased(name)
            try HeaderRules.validate(name: name, value)
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

extension SignedHeaders {
    /// Returns these headers and those of a signature in `Authorization`, which a URL cannot have.
    ///
    /// - Parameter own: names in lower case, without one of these headers, and visible ASCII as values.
    func adding(_ own: [(name: String, value: String)]) -> SignedHeaders {
        let all = headers + own.map { Header(name: $0.name, value: $0.value) }
        return SignedHeaders(sorted: all.sorted { $0.name < $1.name })
    }

    /// Appends the canonical lines of all headers including `host`.
    ///
    /// - Parameter hostLine: the `host` line with its line feed.
    func appendLines(withHostLine hostLine: [UInt8], to output: inout ByteBuffer) {
        for header in headers[..<hostIndex] { header.appendLine(to: &output) }
        output.append(hostLine)
        for header in headers[hostIndex...] { header.appendLine(to: &output) }
    }

    /// Appends the names of all headers including `host`, separated by `;`.
    func appendNames(to output: inout ByteBuffer) {
        appendNames(separatedBy: ";", to: &output) { $1.append(utf8: $0) }
    }

    /// Appends the names as the value of a query parameter.
    func appendNamesToQuery(_ query: inout ByteBuffer) {
        appendNames(separatedBy: "%3B", to: &query) { PercentEncoding.query.append($0.utf8.span, to: &$1) }
    }

    private func appendNames(
        separatedBy separator: StaticString, to output: inout ByteBuffer,
        _ appendName: (_ name: String, _ output: inout ByteBuffer) -> Void
    ) {
        for header in headers[..<hostIndex] {
            appendName(header.name, &output)
            output.append(separator)
        }
        output.append("host")
        for header in headers[hostIndex...] {
            output.append(separator)
            appendName(header.name, &output)
        }
    }
}

extension SignedHeaders.Header {
    fileprivate func appendLine(to output: inout ByteBuffer) {
        output.append(utf8: name)
        output.append(ASCII.colon)
        output.append(utf8: value)
        output.append(ASCII.lineFeed)
    }
}

/// The rules for signed headers: allowed names and the canonical form of values.
enum HeaderRules {
    /// The payload hash of a pre-signed request, whose body is unknown at signing time.
    static var unsignedPayload: StaticString { "UNSIGNED-PAYLOAD" }

    private static let signable: [StaticString] = [
        "cache-control", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-md5", "content-type", "expires", "if-match", "if-modified-since", "if-none-match",
        "if-unmodified-since", "range",
    ]

    /// The headers that would contradict the signature's query parameters.
    private static let reserved: [StaticString] = [
        "x-amz-algorithm", "x-amz-credential", "x-amz-date", "x-amz-expires", "x-amz-signedheaders",
        "x-amz-security-token", "x-amz-signature", "x-amz-content-sha256",
    ]

    static func lowercased(_ name: String) -> String {
        name.utf8.span.allSatisfy { !ASCII.isUppercase($0) }
            ? name : String(decoding: ASCII.lowercased(name.utf8), as: UTF8.self)
    }

    /// Checks a lower-case name. `x-amz-content-sha256` may repeat what the signature of a URL states.
    static func validate(name: String, _ value: String) throws(StorageError) {
        let bytes = name.utf8.span
        guard !name.isEmpty, bytes.allSatisfy(ASCII.isToken) else {
            throw .invalid(
                "headers", "\(name.debugDescription) is not a valid header name.", "Use letters, digits and hyphens.")
        }
        let isUnsignedPayload =
            bytes.equals("x-amz-content-sha256") && value.utf8.span.equals(unsignedPayload)
        if bytes.equals("host") || (isListed(bytes, in: reserved) && !isUnsignedPayload) {
            throw .invalid("headers.\(name)", "It is reserved for the signature.", "Leave it out.")
        }
        guard bytes.starts(with: "x-amz-") || isListed(bytes, in: signable) else {
            throw .invalid(
                "headers.\(name)", "It cannot be signed: S3 ignores it, or proxies may change it.",
                "Use an x-amz-* header or one of \(signable.map(\.description).joined(separator: ", ")).")
        }
    }

    private static func isListed(_ name: Span<UInt8>, in list: [StaticString]) -> Bool {
        for known in list where name.equals(known) { return true }
        return false
    }

    /// Returns the value in canonical form.
    static func canonical(_ value: String, of name: String) throws(StorageError) -> String {
        if value.utf8.span.allSatisfy(ASCII.isVisible) { return value }
        guard value.utf8.span.allSatisfy({ ASCII.isBlank($0) || ASCII.isVisible($0) }) else {
            throw .invalid(
                name == "content-type" ? "contentType" : "headers.\(name)",
                "Its value contains a control character or a character that is not ASCII.",
                "Use printable ASCII; encode other text, for example in base64.")
        }
        return String(decoding: Array(value.utf8).collapsingBlanks(), as: UTF8.self)
    }
}
