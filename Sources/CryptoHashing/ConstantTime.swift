import Bytes
import COpenSSL

/// Whether two byte strings are equal, in a time that depends on their lengths only.
///
/// Different lengths answer at once: the length of a digest or of a key is no secret.
public func constantTimeEqual(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    var difference: UInt64 = 0
    var index = 0
    while left.count - index >= 8 {
        difference |= left.word(at: index) ^ right.word(at: index)
        index += 8
    }
    while index < left.count {
        difference |= UInt64(left[index] ^ right[index])
        index += 1
    }
    return presign_opaque(difference) == 0
}

/// Whether two byte strings are equal, in a time that depends on their lengths only.
public func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    constantTimeEqual(left.span, right.span)
}

/// Overwrites bytes in a way the optimizer keeps.
func cleanse(_ bytes: inout MutableSpan<UInt8>) {
    // unsafe: the pointer is used inside the closure only, with the count the span gives.
    unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        unsafe OPENSSL_cleanse(buffer.baseAddress, buffer.count)
    }
}
