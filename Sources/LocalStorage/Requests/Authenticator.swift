import Cryptography
import HTTP1
import Presigning
import System
import Text

/// Authenticates requests, which must be pre-signed URLs signed with the store's credentials.
///
/// Source of codes and messages: Amazon S3 API reference, "Error responses" and "Authenticating Requests: Using Query
/// Parameters (AWS Signature Version 4)".
package struct Authenticator: Sendable {
    private let accessKeyID: [UInt8]
    private let secret: SecretBytes
    private let regions: [[UInt8]: String]

    init(credentials: Credentials, buckets: [LocalStoreConfiguration.Bucket]) {
        accessKeyID = Array(credentials.accessKeyID.utf8)
        secret = credentials.secretAccessKey
        regions = Dictionary(buckets.map { (Array($0.name.utf8), $0.region) }) { first, _ in first }
    }

    /// Throws unless the signature is valid, the URL has not expired and the bucket exists.
    func check(_ request: S3Request, at time: SigningTime) throws(S3Error) {
        try checkKind(request)
        let received = try received(request)
        let verification = verify(received, of: request, at: time)
        if let refusal = refusal(verification, of: request, received, at: time) { throw refusal }
        guard regions[request.bucket] != nil else {
            throw S3Error(
                404, "NoSuchBucket", "The specified bucket does not exist", [("BucketName", request.bucket)])
        }
    }

    private func verify(
        _ received: PresignedURLVerifier.Request, of request: S3Request, at time: SigningTime
    ) -> PresignedURLVerification {
        PresignedURLVerifier(region: regions[request.bucket]).verify(received, at: time) { id in
            id == accessKeyID ? secret : nil
        }
    }

    /// Throws unless the request is a pre-signed URL and uses no other authentication.
    private func checkKind(_ request: S3Request) throws(S3Error) {
        let isPresigned = ["X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Signature"].contains {
            request.parameter($0) != nil
        }
        if let header = request.header("authorization") {
            guard !isPresigned else {
                throw .invalidArgument(
                    "Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query "
                        + "string parameter or the Authorization header should be specified",
                    name: "Authorization", value: Array(header.prefix { $0 != 0x20 }))
            }
            throw S3Error(
                501, "NotImplemented",
                "The local storage accepts pre-signed URLs only: drop the Authorization header, and sign the URL.",
                [("Header", Array("Authorization".utf8))])
        }
        guard !isPresigned else { return }
        guard request.parameter("Signature") == nil else {
            throw .invalidRequest(
                "The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.")
        }
        throw S3Error(403, "AccessDenied", "Access Denied")
    }

    /// Returns the request in the form that the verifier takes, with only the headers that are or must be signed.
    ///
    /// The verifier takes strings. Values that are not UTF-8 are refused, because replacing invalid bytes would make
    /// one signature valid for several values. Other headers may contain any bytes (RFC 9110, section 5.5), such as the
    /// cookies of another service on this machine.
    private func received(_ request: S3Request) throws(S3Error) -> PresignedURLVerifier.Request {
        let signed = (request.parameter("X-Amz-SignedHeaders") ?? []).split(separator: UInt8(ascii: ";"))
        var headers: [(name: String, value: String)] = []
        for (name, value) in request.headers
        where name.starts(with: "x-amz-".utf8) || name.elementsEqual("content-md5".utf8)
            || signed.contains(where: { $0.elementsEqual(name) })
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

    private func refusal(
        _ verification: PresignedURLVerification, of request: S3Request, _ received: PresignedURLVerifier.Request,
        at time: SigningTime
    ) -> S3Error? {
        switch verification {
        case .valid: nil
        case .expired:
            S3Error(
                403, "AccessDenied", "Request has expired",
                [("X-Amz-Expires", request.parameter("X-Amz-Expires") ?? [])] + expiry(of: request)
                    + [("ServerTime", Array(time.rfc3339Text.utf8))])
        case .notYetValid:
            S3Error(
                403, "AccessDenied", "Request is not valid yet",
                [
                    ("X-Amz-Date", request.parameter("X-Amz-Date") ?? []),
                    ("ServerTime", Array(time.rfc3339Text.utf8)),
                ])
        case .unknownAccessKey:
            S3Error(
                403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.",
                [("AWSAccessKeyId", credential(of: request).first ?? [])])
        // S3 treats a malformed signature as a wrong one.
        case .malformed("X-Amz-Signature", let reason): mismatch(request, "X-Amz-Signature: \(reason).")
        case .malformed(let parameter, let reason):
            S3Error(
                400, "AuthorizationQueryParametersError", "Error parsing the \(parameter) parameter; \(reason)")
        case .missing(let parameter): Self.missing(parameter)
        case .tampered(.scope): wrongScope(request)
        case .tampered(.unsignedHeader(let name)):
            S3Error(
                403, "AccessDenied", "There were headers present in the request which were not signed",
                [("HeadersNotSigned", Array(name.utf8))])
        case .tampered(.missingHeader(let name)):
            mismatch(
                request,
                "The header \(name) was signed, but the request does not have it. Send it as in `headers` of the "
                    + "response of presign.", [("MissingHeader", Array(name.utf8))])
        case .tampered(.signature): mismatch(request, explanation(of: request, received, at: time))
        }
    }

    /// When the URL expired; empty if its parameters do not state that.
    private func expiry(of request: S3Request) -> [S3Error.Detail] {
        guard let start = request.parameter("X-Amz-Date").flatMap({ SigningTime(basic: $0) }),
            let seconds = request.parameter("X-Amz-Expires").flatMap({ Int(decimal: $0.span) })
        else { return [] }
        return [("Expires", Array(start.advanced(bySeconds: seconds).rfc3339Text.utf8))]
    }

    /// The parts of `X-Amz-Credential`: id, day, region, service, `aws4_request`. Slashes before the last four belong
    /// to the id.
    private func credential(of request: S3Request) -> [[UInt8]] {
        let parts = (request.parameter("X-Amz-Credential") ?? [])
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
        guard parts.count > 5 else { return parts }
        return [Array(parts.dropLast(4).joined(separator: [UInt8(ascii: "/")]))] + parts.suffix(4)
    }

    private func wrongScope(_ request: S3Request) -> S3Error {
        let parts = credential(of: request).map { String(decoding: $0, as: UTF8.self) }
        let (region, service) = parts.count == 5 ? (parts[2], parts[3]) : ("", "")
        guard service == "s3", let expected = regions[request.bucket] else {
            return S3Error(
                400, "AuthorizationQueryParametersError",
                "Error parsing the X-Amz-Credential parameter; incorrect service \"\(service)\". This endpoint "
                    + "belongs to \"s3\".")
        }
        return S3Error(
            400, "AuthorizationQueryParametersError",
            "Error parsing the X-Amz-Credential parameter; the region '\(region)' is wrong; expecting '\(expected)'",
            [("Region", Array(expected.utf8))])
    }

    /// Returns what differs from the signed request.
    private func explanation(
        of request: S3Request, _ received: PresignedURLVerifier.Request, at time: SigningTime
    ) -> String {
        let names = (request.parameter("X-Amz-SignedHeaders") ?? []).split(separator: UInt8(ascii: ";"))
        let mismatch = SignatureMismatch(
            request: received, signedHeaders: names.map { String(decoding: $0, as: UTF8.self) }
        ) { variation in
            switch verify(variation, of: request, at: time) {
            case .valid, .expired, .notYetValid: true
            case .tampered, .unknownAccessKey, .missing, .malformed: false
            }
        }
        return mismatch.explanation
    }

    /// The error for a wrong signature. It shows what the client sent, but never the computed signature.
    ///
    /// - Parameter difference: what differs from the signed request.
    private func mismatch(
        _ request: S3Request, _ difference: String, _ details: [S3Error.Detail] = []
    ) -> S3Error {
        S3Error(
            403, "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. Check your key and "
                + "signing method. " + difference,
            [
                ("AWSAccessKeyId", credential(of: request).first ?? []),
                ("SignatureProvided", request.parameter("X-Amz-Signature") ?? []),
                ("SignedHeaders", request.parameter("X-Amz-SignedHeaders") ?? []),
            ] + details)
    }

    private static func missing(_ parameter: String) -> S3Error {
        S3Error(
            400, "AuthorizationQueryParametersError",
            "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, "
                + "X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.",
            [("Parameter", Array(parameter.utf8))])
    }
}
