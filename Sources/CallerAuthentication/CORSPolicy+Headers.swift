package import DataFormats
package import HTTP1
import Text

extension CORSPolicy {
    private static let exposedHeaders = "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate"
    /// The maximum number of configured headers.
    private static let maximumHeaders = 32

    /// Reads the section `cors`.
    ///
    /// - Parameter authentication: The section `auth`, whose headers a page must not set.
    package init(
        _ node: ConfigurationNode, _ authentication: AuthenticationConfiguration
    ) throws(ConfigurationError) {
        let keys = try node.mapping(["origins", "headers", "maxAge"])
        let origins = keys.value("origins") { node in
            try node.each { node in
                let origin = try node.string()
                if let mistake = CORSPolicy.mistake(in: origin) { throw node.error(mistake) }
                return origin
            }
        }
        let headers = keys.value("headers") { node in
            guard try node.list().count <= Self.maximumHeaders else {
                throw node.error("must name at most \(Self.maximumHeaders) headers")
            }
            return try node.each { try Self.header($0, authentication.callerHeaders) }
        }
        let maxAge = keys.value("maxAge") { try $0.seconds(in: 0...86_400) } ?? 7200
        self.init(origins: origins ?? [], headers: headers ?? [], maxAge: Int64(maxAge))
    }

    /// Reads the name of a header that a page may set.
    ///
    /// - Parameter reserved: The headers that authenticate callers, in lower case.
    private static func header(
        _ node: ConfigurationNode, _ reserved: [[UInt8]]
    ) throws(ConfigurationError) -> String {
        let text = try node.string()
        let name = Array(text.utf8)
        guard text != "*" else { throw node.error("must not be `*`; name each header") }
        guard 1...longestName ~= name.count, name.allSatisfy(ASCII.isToken) else {
            throw node.error("must be a header name of 1 to \(longestName) characters, such as x-client-version")
        }
        guard name == ASCII.lowercased(name) else {
            throw node.error(
                "must be in lower case: `\(String(decoding: ASCII.lowercased(name), as: UTF8.self))`")
        }
        let isForwarding = text.hasPrefix("x-forwarded-") || ["forwarded", "cookie", "host"].contains(text)
        guard !isForwarding, !reserved.contains(name) else {
            throw node.error("must not be `\(text)`, which decides who calls or from where; a page must not set it")
        }
        return text
    }

    /// Adds the headers that let a web page read a response.
    package func append(to fields: inout HTTPFields, for origin: ArraySlice<UInt8>?) {
        append(to: &fields, for: origin, exposing: Self.exposedHeaders)
    }

    /// Returns the response to a preflight for a route that accepts `methods`.
    package func preflight(for origin: ArraySlice<UInt8>, methods: String) -> HTTPResponse {
        preflight(
            for: origin, status: 204, methods: methods,
            headers: (Self.pageHeaders + headers).joined(separator: ", ").utf8.span)
    }
}
