package import Cryptography
import Text

/// Verifies the signatures of content that is signed in chunks. Each covers the one before it, and the first of them
/// that of the request.
///
/// Source: Amazon S3 API reference, "Signature Calculations for the Authorization Header: Transferring Payload in
/// Multiple Chunks", and the same "Including Trailing Headers".
package struct ChunkSignatures: Sendable {
    private static let emptyHash = hexadecimal(SHA256.hash([]))

    private let chunk: StringToSign
    private let trailer: StringToSign
    private var previous: [UInt8]

    /// - Parameters:
    ///   - received: the valid signature of the request.
    ///   - secret: the secret that it is signed with.
    package init(after received: ReceivedSignature, secret: SecretBytes) {
        chunk = received.stringToSign("AWS4-HMAC-SHA256-PAYLOAD", secret: secret)
        trailer = received.stringToSign("AWS4-HMAC-SHA256-TRAILER", secret: secret)
        previous = received.signature
    }

    /// Returns whether the signature of the next chunk is valid.
    ///
    /// - Parameter hash: the SHA-256 of the chunk's data.
    package mutating func accepts(_ signature: [UInt8], ofChunk hash: SHA256Digest) -> Bool {
        accepts(signature, chunk, Self.emptyHash + [ASCII.lineFeed] + Self.hexadecimal(hash))
    }

    /// Returns whether the signature of the trailer is valid.
    ///
    /// - Parameter hash: the SHA-256 of lines `name:value`, each with a line feed.
    package mutating func accepts(_ signature: [UInt8], ofTrailer hash: SHA256Digest) -> Bool {
        accepts(signature, trailer, Self.hexadecimal(hash))
    }

    private mutating func accepts(_ signature: [UInt8], _ head: StringToSign, _ hashes: [UInt8]) -> Bool {
        let computed = head.signature(of: previous + [ASCII.lineFeed] + hashes).hexadecimal
        guard constantTimeEqual(computed.span, signature.span) else { return false }
        previous = signature
        return true
    }

    private static func hexadecimal(_ hash: SHA256Digest) -> [UInt8] { Array(Hexadecimal.encode(hash.bytes).utf8) }
}
