import Cryptography
import HTTP1
import Presigning
import System
import Text

/// Authenticates requests: pre-signed URLs, and requests that SDKs sign in the `Authorization` header, both with the
/// store's credentials.
///
/// Source of codes and messages: Amazon S3 API reference, "Error responses" and "Authenticating Requests (AWS Signature
/// Version 4)".
package struct Authenticator: Sendable {
    private let accessKeyID: [UInt8]
    private let secret: SecretBytes
    let regions: [[UInt8]: String]

    init(credentials: Credentials, buckets: [(name: String, region: String)]) {
        accessKeyID = Array(credentials.accessKeyID.utf8)
        secret = credentials.secretAccessKey
        regions = Dictionary(buckets.map { (Array($0.name.utf8), $0.region) }) { first, _ in first }
    }

    /// Throws unless the signature is valid, the request is made in its time and the bucket exists.
    ///
    /// - Returns: the verifier of the content's chunks; nil unless the content is signed in chunks.
    @discardableResult
    func check(_ request: S3Request, at time: SigningTime) throws(S3Error) -> ChunkSignatures? {
        try checkKind(request)
        let received: ReceivedSignature
        do throws(PresignedURLParseFailure) {
            received = try request.signature(of: request.signed)
        } catch {
            throw refusal(error, of: request)
        }
        // Other headers may contain any bytes (RFC 9110, section 5.5), such as the cookies of another service.
        for (name, value) in request.headers
        where received.signedHeaders.contains(name) || name.starts(with: "x-amz-".utf8) {
            guard String(validating: value, as: UTF8.self) != nil else {
                throw .invalidArgument(
                    "The value of a header must be UTF-8.", name: String(decoding: name, as: UTF8.self), value: value)
            }
        }
        if let refusal = refusal(verify(received, of: request.bucket, at: time), of: request, received, at: time) {
            throw refusal
        }
        guard request.bucket.isEmpty || regions[request.bucket] != nil else {
            throw .noSuchBucket(request.bucket)
        }
        return request.payload.isSignedInChunks ? ChunkSignatures(after: received, secret: secret) : nil
    }

    /// Verifies a signature with the store's credentials and the bucket's region.
    func verify(_ received: ReceivedSignature, of bucket: [UInt8], at time: SigningTime) -> PresignedURLVerification {
        PresignedURLVerifier(region: regions[bucket]).verify(received, at: time) { $0 == accessKeyID ? secret : nil }
    }

    /// Throws unless the request is signed in one of the two ways.
    private func checkKind(_ request: S3Request) throws(S3Error) {
        let isPresigned = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature"].contains {
            request.parameter($0) != nil
        }
        if let header = request.header("authorization") {
            let scheme = Array(header.prefix { $0 != ASCII.space })
            guard !isPresigned else {
                throw .invalidArgument(
                    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query "
                        + "string parameter or the Authorization header should be specified",
                    name: "Authorization", value: scheme)
            }
            guard !scheme.elementsEqual("AWS".utf8) else { throw Self.oldSignature }
            guard scheme.starts(with: "AWS4-".utf8) else {
                throw .invalidArgument("Unsupported Authorization Type", name: "Authorization", value: scheme)
            }
            return
        }
        guard !isPresigned else { return }
        guard request.parameter("Signature") == nil else { throw Self.oldSignature }
        throw S3Error(403, "AccessDenied", "Access Denied")
    }

    private static let oldSignature = S3Error.invalidRequest(
        "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
}

extension S3Request {
    /// The request in the form that the verifier takes.
    var signed: PresignedURLVerifier.Request {
        PresignedURLVerifier.Request(
            method: method.description, host: String(decoding: header("host") ?? [], as: UTF8.self), target: target,
            lowercase: headers)
    }

    /// Returns the signature of a variation of this request.
    func signature(
        of signed: PresignedURLVerifier.Request
    ) throws(PresignedURLParseFailure) -> ReceivedSignature {
        try isSignedInHeader ? ReceivedSignature(headersOf: signed) : ReceivedSignature(queryOf: signed)
    }
}
