import Foundation

extension StorageFailure {
    /// S3 codes which mean that the request was not performed, so it can be repeated safely. With a wrong digest, bytes
    /// have changed on the way: the client sends what it has hashed.
    private static let notPerformed: Set<StorageErrorCode> = [
        "SlowDown", "ServiceUnavailable", "RequestTimeout", "OperationAborted", "ConditionalRequestConflict",
        .badDigest, "XAmzContentSHA256Mismatch", "XAmzContentChecksumMismatch",
    ]

    /// S3 codes which mean that the credentials of a URL have ended. The service may have others by now.
    private static let credentialsEnded: Set<StorageErrorCode> = [
        "ExpiredToken", "InvalidAccessKeyId", "InvalidToken", "TokenRefreshRequired",
    ]

    /// Converts a response of the storage.
    ///
    /// - Parameter status: Replaces the status of a response that begins with 200 and contains an error.
    static func storage(_ response: HTTPResponse, status: Int? = nil) -> Self {
        let status = status ?? response.status
        let error = XMLElement(response.body).flatMap { $0.name == "Error" ? $0 : nil }
        let code = error?["Code"].map { StorageErrorCode(rawValue: $0) } ?? .http(status)
        let requestID = error?["RequestId"] ?? response.head["x-amz-request-id"]
        if status == 412 { return exists(requestID: requestID) }
        // After a proxy's error, the storage may or may not have performed the request. S3's code is definite.
        let isDefinite = notPerformed.contains(code)
        let isAmbiguous =
            !isDefinite && ([429, 500, 502, 503, 504].contains(status) || code == "InternalError")
        return Self(
            .storage, code, status: status,
            detail: error?["Message"] ?? "the storage responded with status \(status)", requestID: requestID,
            retryAfter: RetryAfter.seconds(response.head["retry-after"], now: Date()),
            isRetryable: isAmbiguous || isDefinite, isAmbiguous: isAmbiguous)
    }

    static func unexpected(_ detail: String, status: Int) -> Self {
        Self(.storage, .unexpectedResponse, status: status, detail: detail)
    }

    /// Whether a new URL may help: the URL or its credentials have ended.
    func isExpiry(of signed: SignedRequest, now: ContinuousClock.Instant) -> Bool {
        guard source == .storage else { return false }
        if Self.credentialsEnded.contains(code) { return true }
        return status == 403 && (now >= signed.deadline || detail.lowercased().contains("expired"))
    }
}
