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

    init(credentials: Credentials, buckets: [LocalStoreConfiguration.Bucket]) {
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
        let received = try received(request)
        let verification = verify(received, of: request, at: time)
        if let refusal = refusal(verification, of: request, received, at: time) { throw refusal }
        guard request.bucket.isEmpty || regions[request.bucket] != nil else {
            throw .noSuchBucket(request.bucket)
        }
        return request.payload.isSignedInChunks ? ChunkSignatures(of: received, secret: secret) : nil
    }

    /// Verifies the signature of a form's policy.
    func verifyPolicy(of form: PostForm, to bucket: [UInt8], at time: SigningTime) -> PresignedURLVerification {
        PresignedURLVerifier(region: regions[bucket]).verifyPolicy({ form[$0] }, at: time) { id in
            id == accessKeyID ? secret : nil
        }
    }

    func verify(
        _ received: PresignedURLVerifier.Request, of request: S3Request, at time: SigningTime
    ) -> PresignedURLVerification {
        let verifier = PresignedURLVerifier(region: regions[request.bucket])
        let known = { (id: [UInt8]) -> SecretBytes? in id == accessKeyID ? secret : nil }
        return request.isSignedInHeader
            ? verifier.verifyHeaders(of: received, at: time, secret: known)
            : verifier.verify(received, at: time, secret: known)
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

    /// Returns the request in the form that the verifier takes, with only the headers that are or must be signed, and
    /// the one with the signature.
    ///
    /// The verifier takes strings. Values that are not UTF-8 are refused, because replacing invalid bytes would make
    /// one signature valid for several values. Other headers may contain any bytes (RFC 9110, section 5.5), such as the
    /// cookies of another service on this machine.
    private func received(_ request: S3Request) throws(S3Error) -> PresignedURLVerifier.Request {
        let signed = StatedSignature(request).signedHeaderNames
        var headers: [(name: String, value: String)] = []
        for (name, value) in request.headers
        where name.starts(with: "x-amz-".utf8) || name.elementsEqual("content-md5".utf8)
            || name.elementsEqual("authorization".utf8) || signed.contains(where: { $0.elementsEqual(name) })
        {
            let name = String(decoding: name, as: UTF8.self)
            guard let text = String(validating: value, as: UTF8.self) else {
                throw .invalidArgument("The value of a header must be UTF-8.", name: name, value: value)
            }
            headers.append((name, text))
        }
        return PresignedURLVerifier.Request(
            method: request.method.description,
            host: String(decoding: request.header("host") ?? [], as: UTF8.self), target: request.target,
            headers: headers)
    }
}
