/// The result of the verification of a pre-signed request.
public enum PresignedURLVerification: Sendable, Hashable {
    /// The signature is correct and the URL is valid now.
    case valid
    /// The signature is correct, but the URL has expired.
    case expired
    /// The signature is correct, but its time is more than 15 minutes in the future.
    case notYetValid
    /// The request differs from the signed one.
    case tampered(Mismatch)
    /// The access key id is unknown.
    case unknownAccessKey
    /// The request is not pre-signed: a required parameter is missing.
    case missing(parameter: String)
    /// The request is not correctly pre-signed: a parameter is a duplicate or malformed.
    case malformed(parameter: String, reason: String)

    /// The difference between a request and the signed one.
    public enum Mismatch: Error, Sendable, Hashable {
        /// The signature does not match method, host, path, query and signed headers.
        case signature
        /// The credential scope names another region or service.
        case scope
        /// A signed header is missing from the request.
        case missingHeader(String)
        /// The request has a header that must be signed but is not.
        case unsignedHeader(String)
    }
}

/// A missing or malformed part of a received signature.
package struct PresignedURLParseFailure: Error {
    /// The name of the part.
    package let parameter: String
    /// The reason why the part is malformed, or nil if it is missing.
    package let reason: String?

    init(_ parameter: String, _ reason: String? = nil) { (self.parameter, self.reason) = (parameter, reason) }

    /// The failure as the result of a verification.
    package var verification: PresignedURLVerification {
        reason.map { .malformed(parameter: parameter, reason: $0) } ?? .missing(parameter: parameter)
    }
}
