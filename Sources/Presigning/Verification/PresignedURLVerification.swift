/// What a pre-signed request turned out to be.
public enum PresignedURLVerification: Sendable, Hashable {
    /// Genuine and within its time.
    case valid
    /// Genuine, but its time is over.
    case expired
    /// Genuine, but signed for a time more than 15 minutes ahead.
    case notYetValid
    /// Not what was signed.
    case tampered(Mismatch)
    /// Signed with an access key nobody knows.
    case unknownAccessKey
    /// No pre-signed request at all: a parameter every one has is not there.
    case missing(parameter: String)
    /// No pre-signed request at all: a parameter is repeated or cannot be read.
    case malformed(parameter: String, reason: String)

    /// In what a request differs from the signed one.
    public enum Mismatch: Error, Sendable, Hashable {
        /// The signature does not belong to method, host, path, query and signed headers.
        case signature
        /// The scope names another region or service.
        case scope
        /// A header was signed and is not sent.
        case missingHeader(String)
        /// A header was not signed, but is sent and would have to be.
        case unsignedHeader(String)
    }
}

/// Why a request's parameters cannot be read.
struct PresignedURLParseFailure: Error {
    let parameter: String
    /// Nil when it is not there.
    let reason: String?
}
