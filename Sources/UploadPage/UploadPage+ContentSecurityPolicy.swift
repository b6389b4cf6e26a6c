extension UploadPage {
    /// Returns the value of `Content-Security-Policy` for the page (W3C CSP Level 3).
    ///
    /// The policy allows the page's own files and requests to the service, the storages and the token endpoint. It
    /// forbids inline scripts and strings that become script. The authorization endpoint needs no directive, because the
    /// browser navigates to it.
    ///
    /// - Parameters:
    ///   - origins: the origins of the storages, as `scheme://host[:port]`.
    ///   - tokenEndpoint: the URL at which the page gets tokens; only its path is allowed. Like an origin, it is omitted
    ///     if it has a character that could end its directive (blank, comma, semicolon, control character).
    package static func contentSecurityPolicy(
        connectingTo origins: [String], tokenEndpoint: String? = nil
    ) -> String {
        // A source of a policy has no query.
        let endpoint = (tokenEndpoint?.utf8.prefix { $0 != UInt8(ascii: "?") }).map { String(Substring($0)) }
        let servers = (origins + [endpoint].compactMap(\.self)).filter { !$0.isEmpty && $0.utf8.allSatisfy(isPlain) }
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
            (["connect-src", "'self'"] + servers).joined(separator: " "),
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// Returns whether a byte is printable ASCII and has no special meaning in a policy.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x21...0x7e ~= byte && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "'")
    }
}
