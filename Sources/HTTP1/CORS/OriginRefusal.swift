import Text

/// Why a web page may not read the response to its request, and how to allow it.
package struct OriginRefusal: Sendable {
    /// The page's origin as sent, at most 256 bytes.
    package let origin: String
    /// What is wrong, for the response.
    package let detail: String
    /// How to allow the origin, for the operator: it lists the configured origins.
    package let recoverySuggestion: String

    /// Checks the origin of a request; nil if its page may read the response, if the page belongs to the service itself,
    /// and without `Origin`, which only browsers send.
    package init?(of request: HTTPRequest, under policy: CORSPolicy) {
        guard let origin = request.headers.first(.origin), !policy.allows(origin) else { return nil }
        let parsed = WebOrigin(origin)
        if let parsed, let host = request.headers.first(.host), parsed.isServed(at: host) { return nil }
        self.init(origin.prefix(256), parsed, policy)
    }

    private init(_ bytes: ArraySlice<UInt8>, _ parsed: WebOrigin?, _ policy: CORSPolicy) {
        origin = String(decoding: bytes, as: UTF8.self)
        if let mistake = CORSPolicy.mistake(in: origin) {
            detail = "the origin \(origin) cannot be allowed; \(mistake)"
            recoverySuggestion = "Serve the page over http or https."
            return
        }
        let problem = "the origin \(origin) is not in cors.origins"
        if let other = parsed?.underOtherName, policy.isListed(other) {
            detail = problem + "; open the page at \(String(decoding: other, as: UTF8.self)), which is"
        } else {
            detail = problem
        }
        let list = (policy.texts + [origin]).map { "\"\($0)\"" }.joined(separator: ", ")
        recoverySuggestion =
            "Add it to the configuration: `cors: {origins: [\(list)]}`; without a file, start with "
            + "`--cors-origin \(origin)`."
    }
}

extension CORSPolicy {
    /// The longest header name in bytes that a message repeats.
    package static let longestName = 64
    /// The maximum number of header names that a message repeats.
    private static let maximumNames = 8

    /// Returns why the browser does not send the request that a preflight announces; nil if it does.
    ///
    /// - Parameter request: A request from an allowed origin.
    package func headerRefusal(of request: HTTPRequest) -> String? {
        guard request.method == .options, let announced = request.headers.first(.accessControlRequestHeaders) else {
            return nil
        }
        let refused = announced.split(separator: ASCII.comma).map { ASCII.lowercased($0.trimming(ASCII.isBlank)) }
            .filter { name in
                !name.isEmpty && !(Self.pageHeaders + headers).contains { $0.utf8.elementsEqual(name) }
            }
        if refused.isEmpty { return nil }
        let names = refused.filter { $0.count <= Self.longestName && $0.allSatisfy(ASCII.isToken) }
            .prefix(Self.maximumNames).map { String(decoding: $0, as: UTF8.self) }
        let list = names.isEmpty ? "" : ": " + names.joined(separator: ", ")
        return "the request has headers that are not in cors.headers\(list)"
    }
}
