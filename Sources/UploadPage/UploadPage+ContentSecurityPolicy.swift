extension UploadPage {
    /// Returns the value of `Content-Security-Policy` for the page (W3C CSP Level 3).
    ///
    /// The policy allows the page's own files and requests to the service and the storages. It forbids inline scripts
    /// and strings that become script.
    ///
    /// - Parameter origins: the origins of the storages, as `scheme://host[:port]`. An origin with a character that
    ///   could end its directive (blank, comma, semicolon, control character) is omitted.
    package static func contentSecurityPolicy(connectingTo origins: [String]) -> String {
        let storages = origins.filter { !$0.isEmpty && $0.utf8.allSatisfy(isPlain) }
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
            (["connect-src", "'self'"] + storages).joined(separator: " "),
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// Returns whether a byte is printable ASCII and has no special meaning in a policy.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x21...0x7e ~= byte && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "'")
    }
}
