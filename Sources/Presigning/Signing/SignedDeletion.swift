import Cryptography
import Text

/// `POST ?delete` of a bucket (S3 API Reference, DeleteObjects), signed in the `Authorization` header. Only there can a
/// signature cover the body, which names the objects; the signature of a URL would allow to delete any.
package struct SignedDeletion: Sendable {
    /// The seconds in which storages accept a signature in `Authorization` (S3 API Reference, "Authenticating Requests").
    package static let lifetime = 900

    /// The URL, in ASCII.
    package let url: String
    /// The headers that the client must add to those that it asked to sign.
    package let headers: [(name: String, value: String)]
}

extension Presigner {
    /// Signs `POST ?delete`.
    ///
    /// - Parameters:
    ///   - body: the XML document; nil to sign for any, so that the client can delete every object of the bucket.
    ///   - headers: other headers to sign, such as the checksum of the body.
    /// - Throws: `StorageError.validation` for a header that cannot be signed, and `StorageError.authError` if the
    ///   credentials have expired.
    package mutating func deletion(
        _ body: [UInt8]?, _ headers: [(name: String, value: String)], in bucket: S3Bucket,
        with credentials: Credentials, at time: SigningTime
    ) throws(StorageError) -> SignedDeletion {
        _ = try URLLifetime(expiresIn: SignedDeletion.lifetime, until: credentials.expiration, at: time)
        let endpoint = try bucket.endpoint(accelerated: nil)
        let context = context(for: credentials, endpoint, at: time)
        let payload = body.map { Hexadecimal.encode(SHA256.hash($0).bytes) } ?? "\(HeaderRules.unsignedPayload)"
        var own = [(name: "x-amz-content-sha256", value: payload)] + context.commonFields
        let signed = try SignedHeaders(headers).adding(own)
        var text = ByteBuffer(capacity: 1024)
        text.append("POST\n")
        text.append(endpoint.parts.signedKeyPrefix)
        text.append("\ndelete=\n")
        signed.appendLines(withHostLine: endpoint.parts.hostLine, to: &text)
        text.append(ASCII.lineFeed)
        var names = ByteBuffer()
        signed.appendNames(to: &names)
        text.append(names.bytes)
        text.append(ASCII.lineFeed)
        text.append(utf8: payload)
        let signature = context.stringToSign.signature(ofHash: SHA256.hash(text.bytes))
        let list = String(decoding: names.bytes, as: UTF8.self)
        own.append(
            (
                name: "authorization",
                value: "\(QueryParameter.algorithmName) Credential=\(context.credential), SignedHeaders=\(list), "
                    + "Signature=\(Hexadecimal.encode(signature.bytes))"
            ))
        return SignedDeletion(url: "\(endpoint.scheme)://\(endpoint.host)\(endpoint.keyPrefix)?delete=", headers: own)
    }
}
