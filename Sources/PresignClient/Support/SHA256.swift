import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// SHA-256 of data that arrives in pieces: CryptoKit's on Apple systems, otherwise ``PortableSHA256``.
struct SHA256Digest {
    #if canImport(CryptoKit)
        private var hash = CryptoKit.SHA256()

        mutating func update(_ data: Data) { hash.update(data: data) }

        /// The digest of all pieces in Base64, which is how S3 writes it.
        consuming func base64() -> String { Data(hash.finalize()).base64EncodedString() }
    #else
        private var hash = PortableSHA256()

        mutating func update(_ data: Data) { hash.update(data) }

        /// The digest of all pieces in Base64, which is how S3 writes it.
        consuming func base64() -> String { Data(hash.finalized()).base64EncodedString() }
    #endif
}

extension SHA256Digest {
    /// Returns the digest in Base64.
    static func base64(of data: Data) -> String {
        var digest = SHA256Digest()
        digest.update(data)
        return digest.base64()
    }
}
