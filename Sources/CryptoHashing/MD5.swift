import COpenSSL

/// MD5 (RFC 1321), which is broken as a hash and protects nothing.
///
/// It is here for one header alone: S3 wants the MD5 of a customer-provided encryption key beside the key, as a check
/// against transmission errors (`x-amz-server-side-encryption-customer-key-MD5`).
public enum MD5 {
    /// The 16 bytes of the digest.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 16)
        // unsafe: OpenSSL reads the given count and writes exactly 16 bytes.
        unsafe bytes.withUnsafeBufferPointer { input in
            unsafe digest.withUnsafeMutableBufferPointer { output in
                unsafe presign_md5(input.baseAddress, input.count, output.baseAddress)
            }
        }
        return digest
    }
}
