import Text

/// The web origins whose pages may read responses, and the header fields that permit it (WHATWG Fetch, "CORS
/// protocol").
///
/// Origins are compared byte for byte. Credentials travel in headers that scripts set themselves or in signed URLs,
/// never in cookies, so `Access-Control-Allow-Credentials` is not sent and `*` is safe to configure. `*` does not cover
/// `null`, the origin of sandboxed frames and local files.
package struct CORSPolicy: Sendable {
    /// The configured origins, including `*` if it is configured.
    package let origins: [[UInt8]]
    /// Whether `*` is configured.
    package let allowsAnyOrigin: Bool
    /// Whether every page of this machine may read responses: one of `localhost`, of a name below it, or of a loopback
    /// address, with any port.
    package let allowsLoopback: Bool
    /// How long a browser may cache a preflight's response, in seconds.
    package let maxAge: Int64

    /// - Parameter maxAge: seconds.
    package init(origins: [String], maxAge: Int64, allowsLoopback: Bool = false) {
        self.origins = origins.map { Array($0.utf8) }
        allowsAnyOrigin = origins.contains("*")
        self.maxAge = maxAge
        self.allowsLoopback = allowsLoopback
    }

    /// No page may read responses.
    package static let none = CORSPolicy(origins: [], maxAge: 0)

    /// Returns the same policy with more origins.
    package func adding(_ more: [String]) -> CORSPolicy {
        CORSPolicy(origins: texts + more, maxAge: maxAge, allowsLoopback: allowsLoopback)
    }

    /// The policy of a service for development: if no origin is configured, every page of this machine may read
    /// responses.
    package var forDevelopment: CORSPolicy {
        CORSPolicy(origins: texts, maxAge: maxAge, allowsLoopback: origins.isEmpty)
    }

    /// Whether no page may read responses.
    package var isEmpty: Bool { origins.isEmpty && !allowsLoopback }

    /// The origins as they were configured.
    package var texts: [String] { origins.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether a page from `origin` may read responses.
    package func allows(_ origin: some Collection<UInt8>) -> Bool {
        isListed(origin) || (allowsAnyOrigin && !origin.elementsEqual("null".utf8))
    }

    /// Whether the origin is configured by name, or belongs to this machine. Requests that a browser sends without a
    /// preflight require this; `*` is not enough for them.
    package func isListed(_ origin: some Collection<UInt8>) -> Bool {
        origins.contains { $0.elementsEqual(origin) } || (allowsLoopback && WebOrigin(origin)?.isLoopback == true)
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
    /// Returns why `origin` is not a valid setting, or nil if it is valid: `*`, or `scheme://host[:port]` as browsers
    /// send it, in lower case and without a path.
    package static func mistake(in origin: String) -> String? {
        if origin == "*" { return nil }
        let bytes = Array(origin.utf8)
        let form = "an origin is scheme://host[:port] in lower case, without a path or a trailing slash"
        let url: AbsoluteURL
        do throws(AbsoluteURL.Mistake) {
            url = try AbsoluteURL(bytes.span)
        } catch {
            return error == .scheme ? "an origin begins with https:// or http:// (or is \"*\")" : form
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
}
