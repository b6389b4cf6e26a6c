import Presigning
import Text

extension Authenticator {
    /// Returns the error for a verification; nil for a valid request.
    func refusal(
        _ verification: PresignedURLVerification, of request: S3Request, _ received: PresignedURLVerifier.Request,
        at time: SigningTime
    ) -> S3Error? {
        let stated = StatedSignature(request)
        switch verification {
        case .valid: return nil
        case .expired, .notYetValid:
            return stated.isInHeader
                ? skewed(request, at: time) : untimely(request, isExpired: verification == .expired, at: time)
        case .unknownAccessKey:
            return S3Error(
                403, "InvalidAccessKeyId", "The AWS Access Key Id you provided does not exist in our records.",
                [("AWSAccessKeyId", stated.accessKeyID)])
        // S3 treats a malformed signature as a wrong one.
        case .malformed("X-Amz-Signature", let reason): return mismatch(stated, "X-Amz-Signature: \(reason).")
        case .malformed("Signature", let reason): return mismatch(stated, "Signature: \(reason).")
        case .malformed(let parameter, let reason):
            return S3Error(400, stated.malformedCode, stated.malformed(parameter) + reason)
        case .missing(let parameter): return missing(parameter, stated)
        case .tampered(.scope): return wrongScope(stated, of: request)
        case .tampered(.unsignedHeader(let name)):
            return S3Error(
                403, "AccessDenied", "There were headers present in the request which were not signed",
                [("HeadersNotSigned", Array(name.utf8))])
        case .tampered(.missingHeader(let name)):
            let fix = stated.isInHeader ? "." : ". Send it as in `headers` of the response of presign."
            return mismatch(
                stated, "The header \(name) was signed, but the request does not have it" + fix,
                [("MissingHeader", Array(name.utf8))])
        case .tampered(.signature): return explained(stated, of: request, received, at: time)
        }
    }

    /// The error for a signer whose clock differs by more than 15 minutes.
    private func skewed(_ request: S3Request, at time: SigningTime) -> S3Error {
        S3Error(
            403, "RequestTimeTooSkewed",
            "The difference between the request time and the current time is too large.",
            [
                ("RequestTime", request.header("x-amz-date") ?? []), ("ServerTime", Array(time.rfc3339Text.utf8)),
                ("MaxAllowedSkewMilliseconds", Array("\(PresignedURLVerifier.toleratedSkew * 1000)".utf8)),
            ])
    }

    /// The error for a pre-signed URL that is used too late or too early.
    private func untimely(_ request: S3Request, isExpired: Bool, at time: SigningTime) -> S3Error {
        let now: S3Error.Detail = ("ServerTime", Array(time.rfc3339Text.utf8))
        guard isExpired else {
            return S3Error(
                403, "AccessDenied", "Request is not valid yet",
                [("X-Amz-Date", request.parameter("X-Amz-Date") ?? []), now])
        }
        return S3Error(
            403, "AccessDenied", "Request has expired",
            [("X-Amz-Expires", request.parameter("X-Amz-Expires") ?? [])] + expiry(of: request) + [now])
    }

    /// When the URL expired; empty if its parameters do not state that.
    private func expiry(of request: S3Request) -> [S3Error.Detail] {
        guard let start = request.parameter("X-Amz-Date").flatMap({ SigningTime(basic: $0) }),
            let seconds = request.parameter("X-Amz-Expires").flatMap({ Int(decimal: $0.span) })
        else { return [] }
        return [("Expires", Array(start.advanced(bySeconds: seconds).rfc3339Text.utf8))]
    }

    private func wrongScope(_ stated: StatedSignature, of request: S3Request) -> S3Error {
        let parts = stated.credential.map { String(decoding: $0, as: UTF8.self) }
        let (region, service) = parts.count == 5 ? (parts[2], parts[3]) : ("", "")
        let start = stated.malformed(stated.isInHeader ? "Credential" : "X-Amz-Credential")
        guard service == "s3", let expected = regions[request.bucket] else {
            return S3Error(
                400, stated.malformedCode,
                start + "incorrect service \"\(service)\". This endpoint belongs to \"s3\".")
        }
        return S3Error(
            400, stated.malformedCode, start + "the region '\(region)' is wrong; expecting '\(expected)'",
            [("Region", Array(expected.utf8))])
    }

    private func missing(_ parameter: String, _ stated: StatedSignature) -> S3Error {
        switch parameter {
        case "x-amz-date":
            S3Error(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header")
        case "x-amz-content-sha256":
            .invalidRequest("Missing required header for this request: x-amz-content-sha256")
        case _ where stated.isInHeader:
            S3Error(
                400, stated.malformedCode,
                "The authorization header is malformed; the authorization header requires three components: "
                    + "Credential, SignedHeaders, and Signature.", [("Parameter", Array(parameter.utf8))])
        default:
            S3Error(
                400, stated.malformedCode,
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, "
                    + "X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.",
                [("Parameter", Array(parameter.utf8))])
        }
    }

    /// The error for a wrong signature, with what differs from the signed request and both canonical requests.
    private func explained(
        _ stated: StatedSignature, of request: S3Request, _ received: PresignedURLVerifier.Request,
        at time: SigningTime
    ) -> S3Error {
        let search = SignatureMismatch(
            request: received, isSignedInHeader: stated.isInHeader,
            signedHeaders: stated.signedHeaderNames.map { String(decoding: $0, as: UTF8.self) }
        ) { variation in
            switch verify(variation, of: request, at: time) {
            case .valid, .expired, .notYetValid: true
            case .tampered, .unknownAccessKey, .missing, .malformed: false
            }
        }
        let found = search.variation
        let canonical = { (name: String, request: PresignedURLVerifier.Request) -> [S3Error.Detail] in
            let text = PresignedURLVerifier().canonicalRequest(of: request, signedInHeader: stated.isInHeader)
            return text.map { [(name, $0)] } ?? []
        }
        let signed = found.map { canonical("SignedCanonicalRequest", $0.request) } ?? []
        return mismatch(
            stated, found?.sentence ?? search.unexplained, canonical("CanonicalRequest", received) + signed)
    }

    /// The error for a wrong signature. It shows what the client sent, but never the computed signature.
    ///
    /// - Parameter difference: what differs from the signed request.
    private func mismatch(
        _ stated: StatedSignature, _ difference: String, _ details: [S3Error.Detail] = []
    ) -> S3Error {
        S3Error(
            403, "SignatureDoesNotMatch",
            "The request signature we calculated does not match the signature you provided. Check your key and "
                + "signing method. " + difference,
            [
                ("AWSAccessKeyId", stated.accessKeyID), ("SignatureProvided", stated.signature),
                ("SignedHeaders", stated.signedHeaders),
            ] + details)
    }
}
