import Text

/// The web origins whose pages may read responses, and the header fields that permit it (WHATWG Fetch, "CORS
/// protocol").
///
/// Origins are compared byte for byte. Credentials travel in headers that scripts set themselves or in signed URLs,
/// never in cookies, so `Access-Control-Allow-Credentials` is not sent and `*` is safe to configure. `*` does not cover
/// `null`, the origin of sandboxed frames and local files.
package struct CORSPolicy: Sendable {
    /// The configured origins, including `*` if it is configured.
    package private(set) var origins: [[UInt8]]
    /// Whether every page of this machine may read responses: one of `localhost`, of a name below it, or of a loopback
    /// address, with any port.
    package private(set) var allowsLoopback: Bool
    /// How long a browser may cache a preflight's response, in seconds.
    package let maxAge: Int64
    /// The names of configured headers that a page may set, in lower case.
    package let headers: [String]

    /// - Parameter maxAge: seconds.
    package init(origins: [String], headers: [String] = [], maxAge: Int64, allowsLoopback: Bool = false) {
        self.origins = origins.map { Array($0.utf8) }
        (self.headers, self.maxAge, self.allowsLoopback) = (headers, maxAge, allowsLoopback)
    }

    /// The headers that presign reads and that every page of an allowed origin may set, and those that tracing libraries
    /// add to every request of a page.
    package static let pageHeaders = [
        "authorization", "content-type", "x-api-key", "x-request-id",
        "baggage", "sentry-trace", "traceparent", "tracestate",
        "x-datadog-origin", "x-datadog-parent-id", "x-datadog-sampling-priority", "x-datadog-trace-id",
    ]

    /// No page may read responses.
    package static let none = CORSPolicy(origins: [], maxAge: 0)

    /// Returns the same policy with more origins.
    package func adding(_ more: [String]) -> CORSPolicy {
        var policy = self
        policy.origins += more.map { Array($0.utf8) }
        return policy
    }

    /// The policy of a service for development: if no origin is configured, every page of this machine may read
    /// responses.
    package var forDevelopment: CORSPolicy {
        var policy = self
        policy.allowsLoopback = origins.isEmpty
        return policy
    }

    /// Whether `*` is configured.
    package var allowsAnyOrigin: Bool { origins.contains([ASCII.asterisk]) }

    /// Whether no page may read responses.
    package var isEmpty: Bool { origins.isEmpty && !allowsLoopback }

    /// The origins as they were configured.
    package var texts: [String] { origins.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether a page from `origin` may read responses.
    package func allows(_ origin: some Collection<UInt8>) -> Bool {
        isListed(origin) || (allowsAnyOrigin && !Self.isAnonymous(origin))
    }

    /// Whether the origin is configured by name, or belongs to this machine. Requests that a browser sends without a
    /// preflight require this; `*` is not enough for them.
    package func isListed(_ origin: some Collection<UInt8>) -> Bool {
        origins.contains { $0.elementsEqual(origin) } || (allowsLoopback && WebOrigin(origin)?.isLoopback == true)
    }

    /// Whether a page of another site, or of an origin that is not listed, caused the request. The browser may then have
    /// added credentials that it remembers.
    package func isForeign(_ headers: HTTPHeaders) -> Bool {
        if let site = headers.text("sec-fetch-site"), site.utf8.elementsEqual("cross-site".utf8) { return true }
        return headers.first(.origin).map { !isListed($0) } ?? false
    }

    /// Adds the fields that let a page read the response. Call it for every response, including errors.
    ///
    /// - Parameters:
    ///   - origin: the request's `Origin`.
    ///   - exposed: the header names that the page may read in addition to the safelisted ones, comma-separated.
    package func append(to fields: inout HTTPFields, for origin: ArraySlice<UInt8>?, exposing exposed: String) {
        guard !isEmpty else { return }
        fields.add("vary", "Origin".utf8.span)
        guard let origin, allows(origin) else { return }
        let grant = isListed(origin) ? Array(origin) : Array("*".utf8)
        fields.add("access-control-allow-origin", grant.span)
        fields.add("access-control-expose-headers", exposed.utf8.span)
    }

    /// Returns the response to a preflight, without the origin's grant, which `append` adds.
    ///
    /// - Parameters:
    ///   - origin: the request's `Origin`.
    ///   - status: the status of the response, also for an origin that is not allowed.
    ///   - methods: the methods of the resource, comma-separated.
    ///   - headers: the header names that a request may have, comma-separated; may be empty.
    package func preflight(
        for origin: ArraySlice<UInt8>, status: Int, methods: String, headers: Span<UInt8>
    ) -> HTTPResponse {
        var response = HTTPResponse(status: status)
        response.add("vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
        guard allows(origin) else { return response }
        response.add("access-control-allow-methods", methods)
        if !headers.isEmpty { response.add("access-control-allow-headers", headers) }
        response.add("access-control-max-age", String(maxAge))
        return response
    }
}

extension CORSPolicy {
    /// The schemes whose pages come from a file or a script, so that their origin does not tell who wrote them.
    private static let anonymousSchemes = ["file", "data", "blob", "about", "javascript"]

    /// Whether pages of different authors share the origin: `null`, and those of `anonymousSchemes`.
    private static func isAnonymous(_ origin: some Collection<UInt8>) -> Bool {
        let scheme = origin.prefix { $0 != ASCII.colon }
        if scheme.count == origin.count { return origin.elementsEqual("null".utf8) }
        return anonymousSchemes.contains { $0.utf8.elementsEqual(scheme) }
    }

    /// Returns why `origin` is not a valid setting, or nil if it is valid: `*`, or `scheme://host[:port]` as browsers
    /// send it, without a path. http and https origins are in lower case.
    package static func mistake(in origin: String) -> String? {
        if origin == "*" { return nil }
        let bytes = Array(origin.utf8)
        if isAnonymous(bytes) { return "files and sandboxed frames of any author have this origin; list another one" }
        guard !bytes.contains(ASCII.asterisk) else {
            return "patterns are not supported; list each origin, or use `*`: tokens travel in headers"
        }
        let form = "an origin is scheme://host[:port] in lower case, without a path or a trailing slash"
        let url: AbsoluteURL
        do throws(AbsoluteURL.Mistake) {
            url = try AbsoluteURL(bytes.span)
        } catch {
            guard error == .scheme else { return form }
            return isAppOrigin(bytes)
                ? nil : "an origin is scheme://host[:port], such as https://app.example.com or capacitor://localhost"
        }
        let isHost = url.authority.host != .name || bytes[url.hostRange].span.isHostName
        guard isHost, url.authorityRange.upperBound == bytes.count, bytes == Array(origin.lowercased().utf8) else {
            return form
        }
        let host = url.sentHost(of: bytes)
        guard bytes[url.hostRange].elementsEqual(host) else {
            return "browsers shorten an IPv6 address; write \(String(decoding: host, as: UTF8.self))"
        }
        guard url.authority.port != (url.isSecure ? 443 : 80) else {
            return "browsers omit the default port; remove :\(url.port)"
        }
        return nil
    }

    /// Whether the text is an origin of an app or a browser extension, such as `tauri://localhost`: a scheme in lower
    /// case and an authority. Browsers do not change the case of such a host (WHATWG URL, "opaque host").
    private static func isAppOrigin(_ origin: [UInt8]) -> Bool {
        let scheme = origin.prefix { $0 != ASCII.colon }
        let isScheme = scheme.allSatisfy {
            ASCII.isLowercase($0) || ASCII.isDigit($0) || "+.-".utf8.contains($0)
        }
        guard isScheme, let first = scheme.first, ASCII.isLowercase(first),
            origin[scheme.endIndex...].starts(with: "://".utf8)
        else { return false }
        let rest = Array(origin[(scheme.endIndex + 3)...])
        guard let authority = try? Authority(rest.span) else { return false }
        return authority.host != .name
            || rest[authority.hostRange].allSatisfy { ASCII.isAlphanumeric($0) || "-._".utf8.contains($0) }
    }
}
