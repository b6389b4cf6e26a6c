import COpenSSL

/// Whether two byte strings are equal, in a time that depends only on their lengths.
///
/// Returns at once if the lengths differ: the length of a digest or of a key is not secret.
package func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    // unsafe: both pointers are read inside the closures only, for the common count.
    return unsafe left.withUnsafeBytes { leftBytes in
        unsafe right.withUnsafeBytes { rightBytes in
            guard let first = leftBytes.baseAddress, let second = rightBytes.baseAddress else { return true }
            // CRYPTO_memcmp compares 16 bytes at once, and any other count byte by byte.
            var (index, difference) = (0, Int32(0))
            while leftBytes.count &- index > 16 {
                unsafe difference |= CRYPTO_memcmp(first + index, second + index, 16)
                index &+= 16
            }
            return unsafe difference | CRYPTO_memcmp(first + index, second + index, leftBytes.count &- index) == 0
        }
    }
}

/// Whether two byte strings are equal, in a time that depends only on their lengths.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    constantTimeEqual(left.span, right.span)
}

/// Overwrites bytes. The optimizer does not remove the call.
func cleanse(_ bytes: inout MutableSpan<UInt8>) {
    // unsafe: the pointer is used only inside the closure, with the span's count.
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
