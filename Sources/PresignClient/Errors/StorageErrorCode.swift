/// A stable word for the cause of an error: a code of the service (the guide's page "Errors" lists them), of the storage,
/// or of this library. The storage can send others than the constants.
public struct StorageErrorCode: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The word.
    public let rawValue: String

    /// Creates a code of a response.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a code that has no constant: `error.code == "SlowDown"`.
    public init(stringLiteral value: String) { rawValue = value }

    /// The word.
    public var description: String { rawValue }
}

/// Codes of the service.
extension StorageErrorCode {
    /// A field, the path or the body is invalid.
    public static let validation: Self = "validation"
    /// The request exceeds a limit of the rule: type, size, checksum, lifetime.
    public static let constraint: Self = "constraint"
    /// No credentials were sent, and guests may not do this.
    public static let credentialsMissing: Self = "credentials-missing"
    /// The API key or token is invalid.
    public static let credentialsInvalid: Self = "credentials-invalid"
    /// The token has expired.
    public static let tokenExpired: Self = "token-expired"
    /// The API key has expired.
    public static let keyExpired: Self = "key-expired"
    /// More than one kind of credentials was sent.
    public static let credentialsAmbiguous: Self = "credentials-ambiguous"
    /// The keys that verify the token are being fetched.
    public static let issuerKeysUnavailable: Self = "issuer-keys-unavailable"
    /// The rules do not allow the action.
    public static let forbidden: Self = "forbidden"
    /// Too many requests.
    public static let rateLimited: Self = "rate-limited"
    /// `validateObjectExistence` was requested, and no object exists at the path.
    public static let keyNotFound: Self = "key-not-found"
    /// The storage refused the existence check.
    public static let storageDenied: Self = "storage-denied"
    /// The storage responded to the existence check with an unexpected status.
    public static let storageError: Self = "storage-error"
    /// The service cannot reach the storage for the existence check.
    public static let storageUnreachable: Self = "storage-unreachable"
    /// The storage did not respond to the existence check in time.
    public static let storageTimeout: Self = "storage-timeout"
    /// The service has no storage credentials.
    public static let credentialsUnavailable: Self = "credentials-unavailable"
    /// The service sheds load.
    public static let overloaded: Self = "overloaded"
    /// The address is not one of a presign service.
    public static let noSuchRoute: Self = "no-such-route"
}

/// Codes of the storage that this library handles.
extension StorageErrorCode {
    /// No object exists at the path.
    public static let noSuchKey: Self = "NoSuchKey"
    /// The multipart upload does not exist: it was completed, aborted, or removed by a lifecycle rule.
    public static let noSuchUpload: Self = "NoSuchUpload"
    /// A part of the upload is missing.
    public static let invalidPart: Self = "InvalidPart"
    /// An object exists at the path, and the upload must not replace it.
    public static let preconditionFailed: Self = "PreconditionFailed"
    /// The content does not have the checksum that was sent with it.
    public static let badDigest: Self = "BadDigest"
}

/// Codes of this library.
extension StorageErrorCode {
    /// The server did not respond.
    public static let networkError: Self = "NetworkError"
    /// A request made no progress within the time limit.
    public static let timeout: Self = "Timeout"
    /// The response is not from a presign service or an S3 storage.
    public static let unexpectedResponse: Self = "UnexpectedResponse"
    /// The closure that returns the headers for the service has thrown.
    public static let authorizationFailed: Self = "AuthorizationFailed"
    /// The local file cannot be read or written.
    public static let fileUnreadable: Self = "FileUnreadable"
    /// The file has changed while it was being uploaded.
    public static let fileChanged: Self = "FileChanged"
    /// Another transfer of the app already sends this file to this path, or downloads to this file.
    public static let transferActive: Self = "TransferActive"
    /// The upload may have succeeded, but the response was lost and the caller may not read the object.
    public static let outcomeUnknown: Self = "OutcomeUnknown"
    /// The downloaded bytes do not have the object's checksum.
    public static let checksumMismatch: Self = "ChecksumMismatch"
}
