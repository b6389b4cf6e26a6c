public import Cryptography
import Text

/// Checks a pre-signed request as S3 does when it arrives.
public struct PresignedURLVerifier: Sendable {
    /// A request as a server receives it.
    public struct Request: Sendable {
        /// The HTTP method as received, for example `GET`.
        public let method: String
        /// The value of the `Host` header.
        public let host: String
        /// The target as received: path and query, still encoded.
        public let target: [UInt8]
        /// The other headers as received; names may have any case.
        public let headers: [(name: String, value: String)]

        /// Collects the parts of a request.
        public init(method: String, host: String, target: [UInt8], headers: [(name: String, value: String)] = []) {
            self.method = method
            self.host = host
            self.target = target
            self.headers = headers
        }
    }

    /// Seconds the signer's clock may be ahead of ours: 15 minutes, as S3 allows.
    public static let toleratedSkew: Int64 = 900

    /// The region the scope must name; `nil` takes any.
    public let region: String?
    /// The service the scope must name; `nil` takes any.
    public let service: String?

    /// A verifier for one service, and one region if it is said.
    public init(region: String? = nil, service: String? = "s3") {
        self.region = region
        self.service = service
    }

    /// Judges a request.
    ///
    /// The signature is checked before the time, so that only the holder of a genuine URL learns that it has expired.
    /// - Parameter secret: looks the secret of an access key id up; `nil` when there is no such key.
    public func verify(
        _ request: Request, at time: SigningTime, secret: (_ accessKeyID: [UInt8]) -> SecretBytes?
    ) -> PresignedURLVerification {
        do throws(PresignedURLParseFailure) {
            let received = try ReceivedSignature(request)
            guard let secret = secret(received.accessKeyID) else { return .unknownAccessKey }
            if let reason = mismatch(of: received, with: request, secret: secret) { return .tampered(reason) }
            if time.seconds(until: received.time) > Self.toleratedSkew { return .notYetValid }
            return time > received.time.advanced(bySeconds: received.expiresIn) ? .expired : .valid
        } catch {
            guard let reason = error.reason else { return .missing(parameter: error.parameter) }
            return .malformed(parameter: error.parameter, reason: reason)
        }
    }

    /// Why the signature is not the one of this request; `nil` when it is.
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
        let stringToSign = StringToSign(
            scope: received.scope, time: received.time, key: SigningKey(secret: secret, scope: received.scope))
        let signature = stringToSign.signature(ofHash: SHA256.hash(canonical))
        var computed: [UInt8] = []
        computed.append(hexadecimal: signature.storage.span)
        return constantTimeEqual(computed, received.signature) ? nil : .signature
    }
}
