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
        /// The other headers as received, with names in lower case.
        package let headers: [(name: [UInt8], value: [UInt8])]

        /// Creates a request from its parts. The names of headers may be in any case.
        public init(method: String, host: String, target: [UInt8], headers: [(name: String, value: String)] = []) {
            self.init(
                method: method, host: host, target: target,
                lowercase: headers.map { (ASCII.lowercased($0.name.utf8), Array($0.value.utf8)) })
        }

        /// Creates a request from its parts. The names of headers must be in lower case.
        package init(
            method: String, host: String, target: [UInt8], lowercase headers: [(name: [UInt8], value: [UInt8])]
        ) {
            (self.method, self.host, self.target, self.headers) = (method, host, target, headers)
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
        do throws(PresignedURLParseFailure) {
            return verify(try ReceivedSignature(queryOf: request), at: time, secret: secret)
        } catch {
            return error.verification
        }
    }

    /// Verifies the signature of a request or form.
    ///
    /// - Parameters:
    ///   - received: the signature. A policy's own conditions are not checked.
    ///   - time: the current time.
    ///   - secret: returns the secret of an access key id, or `nil` if the id is unknown.
    package func verify(
        _ received: ReceivedSignature, at time: SigningTime, secret: (_ accessKeyID: [UInt8]) -> SecretBytes?
    ) -> PresignedURLVerification {
        guard received.signature.count == 64, received.signature.allSatisfy(ASCII.isLowercaseHexadecimal) else {
            return .malformed(
                parameter: received.signatureName, reason: "it is not 64 lower-case hexadecimal digits")
        }
        guard let secret = secret(received.accessKeyID) else { return .unknownAccessKey }
        guard region.map({ received.scope.region.elementsEqual($0.utf8) }) ?? true,
            service.map({ received.scope.service.elementsEqual($0.utf8) }) ?? true
        else { return .tampered(.scope) }
        if let reason = received.mismatch(secret: secret) { return .tampered(reason) }
        if time.seconds(until: received.time) > Self.toleratedSkew { return .notYetValid }
        return time > received.expiresAt ? .expired : .valid
    }
}
