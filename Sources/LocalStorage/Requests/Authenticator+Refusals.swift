import Presigning
import Text

extension Authenticator {
    /// Returns the error for a signature that cannot be parsed.
    func refusal(_ failure: PresignedURLParseFailure, of request: S3Request) -> S3Error {
        guard let reason = failure.reason else { return missing(failure.parameter, request) }
        return malformed(request, failure.parameter, reason)
    }

    /// Returns the error for a verification; nil for a valid request.
    func refusal(
        _ verification: PresignedURLVerification, of request: S3Request, _ received: ReceivedSignature,
        at time: SigningTime
    ) -> S3Error? {
        switch verification {
        case .valid: return nil
        case .expired, .notYetValid:
            return request.isSignedInHeader
                ? skewed(request, at: time)
                : untimely(request, received, isExpired: verification == .expired, at: time)
        case .unknownAccessKey:
            return S3Error.invalidAccessKeyID.adding([("AWSAccessKeyId", received.accessKeyID)])
        // S3 treats a malformed signature as a wrong one.
        case .malformed(let parameter, let reason): return mismatch(received, "\(parameter): \(reason).")
        case .missing(let parameter): return missing(parameter, request)
        case .tampered(.scope): return wrongScope(received, of: request)
        case .tampered(.unsignedHeader(let name)):
            return S3Error(
                403, "AccessDenied", "There were headers present in the request which were not signed",
                [("HeadersNotSigned", Array(name.utf8))])
        case .tampered(.missingHeader(let name)):
            let fix = request.isSignedInHeader ? "." : ". Send it as in `headers` of the response of presign."
            return mismatch(
                received, "The header \(name) was signed, but the request does not have it" + fix,
                [("MissingHeader", Array(name.utf8))])
        case .tampered(.signature): return explained(received, of: request, at: time)
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
    private func untimely(
        _ request: S3Request, _ received: ReceivedSignature, isExpired: Bool, at time: SigningTime
    ) -> S3Error {
        let now: S3Error.Detail = ("ServerTime", Array(time.rfc3339Text.utf8))
        guard isExpired else {
            return S3Error(
                403, "AccessDenied", "Request is not valid yet",
                [("X-Amz-Date", request.parameter("X-Amz-Date") ?? []), now])
        }
        return S3Error(
            403, "AccessDenied", "Request has expired",
            [
                ("X-Amz-Expires", request.parameter("X-Amz-Expires") ?? []),
                ("Expires", Array(received.expiresAt.rfc3339Text.utf8)), now,
            ])
    }

    private func wrongScope(_ received: ReceivedSignature, of request: S3Request) -> S3Error {
        let name = request.isSignedInHeader ? "Credential" : "X-Amz-Credential"
        guard received.service == "s3", let expected = regions[request.bucket] else {
            return malformed(
                request, name, "incorrect service \"\(received.service)\". This endpoint belongs to \"s3\".")
        }
        return malformed(request, name, "the region '\(received.region)' is wrong; expecting '\(expected)'")
            .adding([("Region", Array(expected.utf8))])
    }

    private func malformed(_ request: S3Request, _ parameter: String, _ reason: String) -> S3Error {
        request.isSignedInHeader
            ? S3Error(
                400, "AuthorizationHeaderMalformed", "The authorization header is malformed; \(parameter): \(reason)")
            : S3Error(
                400, "AuthorizationQueryParametersError", "Error parsing the \(parameter) parameter; \(reason)")
    }

    private func missing(_ parameter: String, _ request: S3Request) -> S3Error {
        switch parameter {
        case "x-amz-date":
            S3Error(403, "AccessDenied", "AWS authentication requires a valid Date or x-amz-date header")
        case "x-amz-content-sha256":
            .invalidRequest("Missing required header for this request: x-amz-content-sha256")
        case _ where request.isSignedInHeader:
            S3Error(
                400, "AuthorizationHeaderMalformed",
                "The authorization header is malformed; the authorization header requires three components: "
                    + "Credential, SignedHeaders, and Signature.", [("Parameter", Array(parameter.utf8))])
        default:
            S3Error(
                400, "AuthorizationQueryParametersError",
                "Query-string authentication version 4 requires the X-Amz-Algorithm, X-Amz-Credential, "
                    + "X-Amz-Signature, X-Amz-Date, X-Amz-SignedHeaders, and X-Amz-Expires parameters.",
                [("Parameter", Array(parameter.utf8))])
        }
    }

    /// The error for a wrong signature, with what differs from the signed request and both canonical requests.
    private func explained(_ received: ReceivedSignature, of request: S3Request, at time: SigningTime) -> S3Error {
        // Only these headers decide about the signature; others, such as cookies, would shorten the search.
        let headers = request.headers.filter { name, _ in
            received.signedHeaders.contains(name) || name.elementsEqual("authorization".utf8)
        }
        let header = { (name: String) in request.header(name).flatMap { String(validating: $0, as: UTF8.self) } }
        let search = SignatureMismatch(
            request: request.signed.with(headers: headers), isSignedInHeader: request.isSignedInHeader,
            forwarded: (header("x-forwarded-prefix"), header("x-forwarded-host")),
            signedHeaders: received.signedHeaders
        ) { variation in
            guard let signature = try? request.signature(of: variation) else { return false }
            switch verify(signature, of: request.bucket, at: time) {
            case .valid, .expired, .notYetValid: return true
            case .tampered, .unknownAccessKey, .missing, .malformed: return false
            }
        }
        let found = search.variation
        let signed = found.flatMap { try? request.signature(of: $0.request).canonicalRequest }
        let details: [(name: String, value: [UInt8]?)] = [
            ("CanonicalRequest", received.canonicalRequest), ("SignedCanonicalRequest", signed),
        ]
        return mismatch(
            received, found?.sentence ?? search.unexplained,
            details.compactMap { detail in detail.value.map { (detail.name, $0) } })
    }

    /// The error for a wrong signature. It shows what the client sent, but never the computed signature.
    ///
    /// - Parameter difference: what differs from the signed request.
    private func mismatch(
        _ received: ReceivedSignature, _ difference: String, _ details: [S3Error.Detail] = []
    ) -> S3Error {
        S3Error.wrongSignature("Check your key and signing method. " + difference).adding(
            [
                ("AWSAccessKeyId", received.accessKeyID), ("SignatureProvided", received.signature),
                ("SignedHeaders", Array(received.signedHeaders.joined(separator: [UInt8(ascii: ";")]))),
            ] + details)
    }
}
