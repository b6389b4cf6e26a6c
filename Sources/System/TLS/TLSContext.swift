internal import COpenSSL

/// Owns an OpenSSL context, from which sessions are created. The sessions may outlive it.
@safe
package final class TLSContext: Sendable {
    // unsafe: the context is modified only before it is shared, and OpenSSL allows many threads to create sessions from
    // it (openssl-threads(7)).
    nonisolated(unsafe) let pointer: OpaquePointer

    /// Takes ownership of the context that `create` returns.
    ///
    /// - Throws: the reason that `create` sets if it returns nil.
    @unsafe
    init(_ create: (inout presign_tls_reason) -> OpaquePointer?) throws(TLSFailure) {
        var reason = presign_tls_reason()
        guard let created = unsafe create(&reason) else { throw TLSFailure(reason) }
        unsafe pointer = created
    }

    deinit {
        // unsafe: this releases the reference that `init` acquired.
        unsafe presign_tls_context_free(pointer)
    }
}

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
