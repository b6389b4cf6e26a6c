internal import COpenSSL

/// What sessions are made from, in OpenSSL's memory; it lives as long as somebody holds it, and its sessions longer.
// Unchecked, and right. The pointer is set in `init` and freed in `deinit`, when no one else has it; in between, the
// context is changed only by whoever made it, before anyone else gets it. OpenSSL lets many threads make sessions from one
// context (openssl-threads(7)): what those count and keep in it is behind its own locks.
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
