package import ConfigurationReading
package import HTTP1

extension CORSPolicy {
    private static let exposedHeaders = "retry-after, ratelimit, ratelimit-policy, x-request-id, www-authenticate"
    private static let requestHeaders = "authorization, content-type, x-api-key, x-request-id"

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        let keys = try node.mapping(["origins", "maxAge"])
        let origins = keys.value("origins") { node in
            try node.each { node in
                let origin = try node.string()
                if let mistake = CORSPolicy.mistake(in: origin) { throw node.error(mistake) }
                return origin
            }
        }
        let maxAge = keys.value("maxAge") { try $0.seconds(in: 0...86_400) } ?? 7200
        self.init(origins: origins ?? [], maxAge: Int64(maxAge))
    }

    /// Adds the headers that let a web page read a response.
    func append(to fields: inout HTTPFields, for origin: ArraySlice<UInt8>?) {
        append(to: &fields, for: origin, exposing: Self.exposedHeaders)
    }

    /// Returns the response to a preflight for a route that accepts `methods`.
    func preflight(for origin: ArraySlice<UInt8>, methods: String) -> HTTPResponse {
        preflight(for: origin, status: 204, methods: methods, headers: Self.requestHeaders.utf8.span)
    }
}
