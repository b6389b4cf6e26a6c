internal import COpenSSL

/// What sessions are made from, in OpenSSL's memory; it lives as long as somebody holds it, and its sessions longer.
// Unchecked: the context is changed only before it is shared, and OpenSSL lets many threads make sessions from one
// context (openssl-threads(7)).
@safe
package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over what `make` makes.
    ///
    /// - Throws: the reason that `make` gives when it makes nothing.
    @unsafe
    init(_ make: (inout presign_tls_reason) -> OpaquePointer?) throws(TLSFailure) {
        var reason = presign_tls_reason()
        guard let made = unsafe make(&reason) else { throw TLSFailure(reason) }
        unsafe pointer = made
    }

    deinit {
        // unsafe: this is the one reference that `init` got.
        unsafe presign_tls_context_free(pointer)
    }
}
