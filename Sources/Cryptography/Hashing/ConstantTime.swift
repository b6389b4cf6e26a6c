import COpenSSL

/// Whether two byte strings are equal, in a time that depends on their lengths only.
///
/// Different lengths answer at once: the length of a digest or of a key is no secret.
package func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    // unsafe: both pointers are read inside the closures only, for the common count.
    return unsafe left.withUnsafeBytes { leftBytes in
        unsafe right.withUnsafeBytes { rightBytes in
            guard let first = leftBytes.baseAddress, let second = rightBytes.baseAddress else { return true }
            // OpenSSL compares sixteen bytes all at once, any other number of them one after the other.
            var (index, difference) = (0, Int32(0))
            while leftBytes.count &- index > 16 {
                unsafe difference |= CRYPTO_memcmp(first + index, second + index, 16)
                index &+= 16
            }
            return unsafe difference | CRYPTO_memcmp(first + index, second + index, leftBytes.count &- index) == 0
        }
    }
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    constantTimeEqual(left.span, right.span)
}

/// Overwrites bytes in a way the optimizer keeps.
func cleanse(_ bytes: inout MutableSpan<UInt8>) {
    // unsafe: the pointer is used inside the closure only, with the count the span gives.
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
