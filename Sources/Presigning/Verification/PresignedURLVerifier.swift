public import Cryptography
import Text

/// Verifies pre-signed requests as S3 does.
public struct PresignedURLVerifier: Sendable {
    /// A request as received by a server.
    public struct Request: Sendable {
        /// The HTTP method as received, for example `GET`.
        public let method: String
        /// The value of the `Host` header.
        public let host: String
        /// The request target as received: path and query, percent-encoded.
        public let target: [UInt8]
        /// The other headers as received, with names in any case.
        public let headers: [(name: String, value: String)]

        /// Creates a request from its parts.
        public init(method: String, host: String, target: [UInt8], headers: [(name: String, value: String)] = []) {
            self.method = method
            self.host = host
            self.target = target
            self.headers = headers
        }
    }

    /// How far the signer's clock may be ahead, in seconds: 15 minutes, as in S3.
    public static let toleratedSkew: Int64 = 900

    /// The region that the credential scope must name. `nil` accepts any.
    public let region: String?
    /// The service that the credential scope must name. `nil` accepts any.
    public let service: String?

    /// Creates a verifier that accepts the given region and service only. `nil` accepts any.
    public init(region: String? = nil, service: String? = "s3") {
        self.region = region
        self.service = service
    }

    /// Verifies a request.
    ///
    /// The signature is checked before the time, so that only a correctly signed request can be reported as expired.
    /// - Parameters:
    ///   - request: the received request.
    ///   - time: the current time.
    ///   - secret: returns the secret of an access key id, or `nil` if the id is unknown.
    public func verify(
        _ request: Request, at time: SigningTime, secret: (_ accessKeyID: [UInt8]) -> SecretBytes?
    ) -> PresignedURLVerification {
        verify(request, at: time, secret: secret, parse: ReceivedSignature.init(queryOf:))
    }

    /// Verifies a request that is signed in its `Authorization` header.
    ///
    /// - Parameters:
    ///   - request: the received request. Its headers include `Authorization`, and all `x-amz-*` headers must be signed.
    ///   - time: the current time.
    ///   - secret: returns the secret of an access key id, or `nil` if the id is unknown.
    /// - Returns: `.expired` and `.notYetValid` if the signer's clock is more than 15 minutes behind or ahead; `.missing`
    ///   and `.malformed` name `authorization`, a field in it, `x-amz-date` or `x-amz-content-sha256`.
    package func verifyHeaders(
        of request: Request, at time: SigningTime, secret: (_ accessKeyID: [UInt8]) -> SecretBytes?
    ) -> PresignedURLVerification {
        verify(request, at: time, secret: secret, parse: ReceivedSignature.init(headersOf:))
    }

    private func verify(
        _ request: Request, at time: SigningTime, secret: (_ accessKeyID: [UInt8]) -> SecretBytes?,
        parse: (Request) throws(PresignedURLParseFailure) -> ReceivedSignature
    ) -> PresignedURLVerification {
        do throws(PresignedURLParseFailure) {
            let received = try parse(request)
            guard let secret = secret(received.accessKeyID) else { return .unknownAccessKey }
            if let reason = mismatch(of: received, with: request, secret: secret) { return .tampered(reason) }
            if time.seconds(until: received.time) > Self.toleratedSkew { return .notYetValid }
            let lifetime = received.expiresIn ?? Int(Self.toleratedSkew)
            return time > received.time.advanced(bySeconds: lifetime) ? .expired : .valid
        } catch {
            guard let reason = error.reason else { return .missing(parameter: error.parameter) }
            return .malformed(parameter: error.parameter, reason: reason)
        }
    }

    /// Returns why the signature does not match the request, or `nil` if it matches.
    private func mismatch(
        of received: ReceivedSignature, with request: Request, secret: SecretBytes
    ) -> PresignedURLVerification.Mismatch? {
        if let region, received.scope.region != Array(region.utf8) { return .scope }
        if let service, received.scope.service != Array(service.utf8) { return .scope }
        let canonical: [UInt8]
        switch received.canonicalRequest(of: request) {
        case .success(let bytes): canonical = bytes
        case .failure(let mismatch): return mismatch
        }
        let computed = received.stringToSign(secret: secret).signature(ofHash: SHA256.hash(canonical)).hexadecimal
        return constantTimeEqual(computed.span, received.signature.span) ? nil : .signature
    }

    /// Returns the canonical request of a received request, to compare it with the one that was signed.
    ///
    /// - Parameter inHeader: whether the signature is in `Authorization` or in the query.
    /// - Returns: nil if the request has no well-formed signature, or a signed header is missing.
    package func canonicalRequest(of request: Request, signedInHeader inHeader: Bool) -> [UInt8]? {
        do throws(PresignedURLParseFailure) {
            let received = try inHeader ? ReceivedSignature(headersOf: request) : ReceivedSignature(queryOf: request)
            return try? received.canonicalRequest(of: request).get()
        } catch {
            return nil
        }
    }
}

extension ReceivedSignature {
    /// Returns the string to sign without its hash.
    func stringToSign(
        _ algorithm: String = QueryParameter.algorithmName, secret: SecretBytes
    ) -> StringToSign {
        StringToSign(algorithm, scope: scope, time: time, key: SigningKey(secret: secret, scope: scope))
    }
}
