import Cryptography
import Text

/// The signature of a received request or form, checked for its format, and what it must match.
///
/// Each wire form has its own initializer: the query of a URL, the `Authorization` header, the fields of a form.
package struct ReceivedSignature: Sendable {
    /// The access key id, whose secret must have made the signature.
    package let accessKeyID: [UInt8]
    let scope: SigningScope
    let time: SigningTime
    /// The seconds for which the signature is valid after `time`.
    let lifetime: Int
    /// The names of the signed headers: in lower case, sorted and unique. Empty for a form.
    package var signedHeaders: [[UInt8]] = []
    /// The signature as received. Verification refuses another format.
    package let signature: [UInt8]
    /// The parameter that contains the signature, for messages.
    let signatureName: String
    /// The canonical request or the policy that is signed, or how a request contradicts its signed headers.
    let content: Result<Content, PresignedURLVerification.Mismatch>

    enum Content: Sendable {
        case request([UInt8])
        /// In Base64.
        case policy([UInt8])
    }

    /// The region of the credential scope.
    package var region: String { String(decoding: scope.region, as: UTF8.self) }
    /// The service of the credential scope.
    package var service: String { String(decoding: scope.service, as: UTF8.self) }

    /// The last second in which the signature is valid.
    package var expiresAt: SigningTime { time.advanced(bySeconds: lifetime) }

    /// The canonical request, to compare it with the one that was signed; nil without one.
    package var canonicalRequest: [UInt8]? {
        if case .success(.request(let bytes)) = content { bytes } else { nil }
    }

    /// Returns the string to sign without its hash.
    func stringToSign(_ algorithm: String = QueryParameter.algorithmName, secret: SecretBytes) -> StringToSign {
        StringToSign(algorithm, scope: scope, time: time, key: SigningKey(secret: secret, scope: scope))
    }

    /// Returns why the signature does not match what is signed, or `nil` if it matches.
    func mismatch(secret: SecretBytes) -> PresignedURLVerification.Mismatch? {
        let computed: SHA256Digest
        switch content {
        case .failure(let mismatch): return mismatch
        case .success(.policy(let policy)): computed = SigningKey(secret: secret, scope: scope).signature(of: policy)
        case .success(.request(let canonical)):
            computed = stringToSign(secret: secret).signature(ofHash: SHA256.hash(canonical))
        }
        return constantTimeEqual(computed.hexadecimal.span, signature.span) ? nil : .signature
    }
}

/// The parts that several wire forms have.
extension ReceivedSignature {
    static func time(_ value: [UInt8], named name: String) throws(PresignedURLParseFailure) -> SigningTime {
        guard let time = SigningTime(basic: value) else {
            throw PresignedURLParseFailure(name, "it is not a time in the format YYYYMMDDTHHMMSSZ")
        }
        return time
    }

    /// Splits a credential at the last four slashes, because the access key id may contain slashes itself.
    static func credential(
        _ value: [UInt8], at time: SigningTime, named name: String
    ) throws(PresignedURLParseFailure) -> ([UInt8], SigningScope) {
        let parts = value.split(separator: ASCII.slash, omittingEmptySubsequences: false)
        guard parts.count >= 5, parts.last?.elementsEqual("aws4_request".utf8) ?? false else {
            throw PresignedURLParseFailure(name, "it is not in the format id/day/region/service/aws4_request")
        }
        let scopeParts = parts.suffix(4).map(Array.init)
        guard scopeParts[0].elementsEqual(time.basicText.utf8.prefix(8)) else {
            throw PresignedURLParseFailure(name, "its day is not the day of X-Amz-Date")
        }
        return (
            Array(parts.dropLast(4).joined(separator: [ASCII.slash])),
            SigningScope(dayNumber: time.dayNumber, region: scopeParts[1], service: scopeParts[2])
        )
    }

    static func headerNames(_ value: [UInt8], named name: String) throws(PresignedURLParseFailure) -> [[UInt8]] {
        let names = value.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(Array.init)
        let isSorted = zip(names, names.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) }
        guard isSorted, names.allSatisfy({ !$0.isEmpty && ASCII.lowercased($0) == $0 }) else {
            throw PresignedURLParseFailure(name, "its names are not sorted, unique and in lower case")
        }
        guard names.contains(Array("host".utf8)) else {
            throw PresignedURLParseFailure(name, "it does not contain host")
        }
        return names
    }
}
