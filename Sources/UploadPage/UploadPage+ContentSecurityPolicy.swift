extension UploadPage {
    /// The value of `Content-Security-Policy` for the page (W3C CSP Level 3): nothing but its own files, requests to the
    /// service and the storages, and no text that becomes script.
    ///
    /// - Parameter origins: the storages the page uploads to, as `scheme://host[:port]`. One that could end its directive
    ///   (a blank, a comma, a semicolon, a control character) is left out.
    package static func contentSecurityPolicy(connectingTo origins: [String]) -> String {
        let storages = origins.filter { !$0.isEmpty && $0.utf8.allSatisfy(isPlain) }
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
            (["connect-src", "'self'"] + storages).joined(separator: " "),
            "form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'",
            "require-trusted-types-for 'script'", "trusted-types 'none'",
        ].joined(separator: "; ")
    }

    /// True for a printable ASCII byte that separates nothing in a policy.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x21...0x7e ~= byte && byte != UInt8(ascii: ";") && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "'")
    }
}
