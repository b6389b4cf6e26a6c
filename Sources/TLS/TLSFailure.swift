internal import COpenSSL

/// Why something of TLS cannot be used, or did not work. It holds nothing of a key.
package struct TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// In one line, without a full stop.
    package let description: String

    package init(_ description: String) { self.description = description }

    /// What OpenSSL says.
    init(_ reason: presign_tls_reason) {
        var text = reason.text
        // unsafe: the tuple is initialised, this frame's own, and its text ends with a NUL.
        self.init(
            unsafe withUnsafeBytes(of: &text) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            })
    }
}
