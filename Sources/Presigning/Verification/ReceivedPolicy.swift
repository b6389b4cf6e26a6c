package import Cryptography
import Text

extension PresignedURLVerifier {
    /// Verifies the signature of a form's policy, but not the policy's own conditions.
    ///
    /// - Parameters:
    ///   - field: returns the value of a form's field, whose name is in lower case; nil if it is missing.
    ///   - time: the current time.
    ///   - secret: returns the secret of an access key id, or `nil` if the id is unknown.
    /// - Returns: `.expired` if it was signed more than 7 days ago; `.missing` and `.malformed` name the field.
    package func verifyPolicy(
        _ field: (_ name: String) -> [UInt8]?, at time: SigningTime,
        secret: (_ accessKeyID: [UInt8]) -> SecretBytes?
    ) -> PresignedURLVerification {
        do throws(PresignedURLParseFailure) {
            let received = try ReceivedPolicy(field)
            guard let secret = secret(received.accessKeyID) else { return .unknownAccessKey }
            if let region, received.scope.region != Array(region.utf8) { return .tampered(.scope) }
            if let service, received.scope.service != Array(service.utf8) { return .tampered(.scope) }
            let computed = SigningKey(secret: secret, scope: received.scope).signature(of: received.policy).hexadecimal
            guard constantTimeEqual(computed.span, received.signature.span) else { return .tampered(.signature) }
            if time.seconds(until: received.time) > Self.toleratedSkew { return .notYetValid }
            return time > received.time.advanced(bySeconds: Presigner.validExpiry.upperBound) ? .expired : .valid
        } catch {
            guard let reason = error.reason else { return .missing(parameter: error.parameter) }
            return .malformed(parameter: error.parameter, reason: reason)
        }
    }
}

/// The fields of a received form that state how its policy is signed, checked for their format.
private struct ReceivedPolicy {
    let accessKeyID: [UInt8]
    let scope: SigningScope
    let time: SigningTime
    /// In Base64.
    let policy: [UInt8]
    let signature: [UInt8]

    init(_ field: (_ name: String) -> [UInt8]?) throws(PresignedURLParseFailure) {
        func value(_ name: String) throws(PresignedURLParseFailure) -> [UInt8] {
            guard let value = field(name) else { throw PresignedURLParseFailure(parameter: name, reason: nil) }
            return value
        }
        policy = try value("policy")
        guard try value("x-amz-algorithm").elementsEqual(QueryParameter.algorithmName.utf8) else {
            throw ReceivedSignature.failure("x-amz-algorithm", "it is not AWS4-HMAC-SHA256")
        }
        guard let time = SigningTime(basic: try value("x-amz-date")) else {
            throw ReceivedSignature.failure("x-amz-date", "it is not a time in the format YYYYMMDDTHHMMSSZ")
        }
        self.time = time
        (accessKeyID, scope) = try ReceivedSignature.credential(
            try value("x-amz-credential"), at: time, named: "x-amz-credential")
        signature = try ReceivedSignature.signature(try value("x-amz-signature"), named: "x-amz-signature")
    }
}
