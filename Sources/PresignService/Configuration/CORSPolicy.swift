package import HTTP1

/// Which web origins may call the service (WHATWG Fetch, "CORS protocol").
///
/// Origins are compared byte for byte. Requests carry their credentials in a header that scripts set themselves, never
/// in cookies, so `Access-Control-Allow-Credentials` is not sent and `*` is safe to configure.
package struct CORSPolicy: Sendable {
    /// The configured origins, `*` among them where it was given.
    package let origins: [[UInt8]]
    /// True when `*` was given.
    package let allowsAnyOrigin: Bool
    /// How long a browser may keep a preflight's answer, in seconds.
    package let maxAge: Int64

    /// - Parameter maxAge: seconds.
    package init(origins: [String], maxAge: Int64) {
        self.origins = origins.map { Array($0.utf8) }
        allowsAnyOrigin = origins.contains("*")
        self.maxAge = maxAge
    }

    /// The same policy with more origins.
    package func adding(_ more: [String]) -> CORSPolicy {
        CORSPolicy(origins: texts + more, maxAge: maxAge)
    }

    /// The origins as they were configured.
    package var texts: [String] { origins.map { String(decoding: $0, as: UTF8.self) } }

    /// Why `origin` cannot be configured, nil when it can: `*` or `scheme://host[:port]`, lower case, no path.
    package static func mistake(in origin: String) -> String? {
        if origin == "*" { return nil }
        let bytes = Array(origin.utf8)
        guard let scheme = ["https://", "http://"].first(where: { bytes.starts(with: $0.utf8) }) else {
            return "an origin begins with https:// or http:// (or is \"*\")"
        }
        let authority = bytes.dropFirst(scheme.utf8.count)
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789.-:[]_".utf8)
        guard !authority.isEmpty, authority.allSatisfy(allowed.contains), authority.last != UInt8(ascii: ":"),
            authority.first != UInt8(ascii: ":")
        else {
            return "an origin is scheme://host[:port] in lower case, without a path or a trailing slash"
        }
        for port in [":443", ":80"] where authority.reversed().starts(with: port.utf8.reversed()) {
            if (scheme == "https://") == (port == ":443") { return "browsers leave out the default port; drop \(port)" }
        }
        return nil
    }

    /// True when a page of `origin` may read the answers.
    package func allows(_ origin: some Collection<UInt8>) -> Bool {
        isListed(origin) || (allowsAnyOrigin && !origin.elementsEqual("null".utf8))
    }

    /// True when the origin itself is configured; `*` is not enough where a browser asks nobody before it sends.
    package func isListed(_ origin: some Collection<UInt8>) -> Bool {
        origins.contains { $0.elementsEqual(origin) }
    }

    /// Adds what a browser needs to hand the answer to the page; for every answer, errors included.
    package func append(to fields: inout HTTPFields, for origin: ArraySlice<UInt8>?) {
        guard !origins.isEmpty else { return }
        fields.add("vary", "Origin".utf8.span)
        guard let origin, allows(origin) else { return }
        fields.add("access-control-allow-origin", origin.span)
        fields.add(
            "access-control-expose-headers",
            "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate".utf8.span)
    }

    /// The answer to a preflight of `origin` for a route that takes `methods`; `append` adds the grant itself.
    package func preflight(for origin: ArraySlice<UInt8>, methods: String) -> HTTPResponse {
        var response = HTTPResponse(status: 204)
        response.add("vary", "Access-Control-Request-Method, Access-Control-Request-Headers")
        guard allows(origin) else { return response }
        response.add("access-control-allow-methods", methods)
        response.add("access-control-allow-headers", "authorization, content-type, x-api-key, x-request-id")
        response.add("access-control-max-age", String(maxAge))
        return response
    }
}
