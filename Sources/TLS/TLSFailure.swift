internal import COpenSSL

/// Invalid TLS settings or a failed session. Never contains key material.
package struct TLSFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// One line, without a full stop.
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ reason: presign_tls_reason) {
        var text = reason.text
        // unsafe: the local tuple is initialized.
        self.init(
            unsafe withUnsafeBytes(of: &text) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            })
    }
}
