import Foundation

/// The service's errors (RFC 9457).
struct ProblemDetails: Decodable, Sendable {
    struct Item: Decodable, Sendable {
        let pointer: String
        let detail: String
    }

    let code: String
    let status: Int?
    let detail: String?
    let recoverySuggestion: String?
    let requestId: String?
    let errors: [Item]?
}

extension StorageFailure {
    /// The statuses with which the service or a proxy asks to repeat a request.
    private static let retryableStatuses: Set = [429, 502, 503, 504]

    /// Converts a response of the service. It may come from a proxy instead.
    static func service(_ response: HTTPResponse, endpoint: URL) -> Self {
        let retryAfter = RetryAfter.seconds(response.head["retry-after"], now: Date())
        guard let problem = try? JSONDecoder().decode(ProblemDetails.self, from: response.body) else {
            return Self(
                source: .service, code: .unexpectedResponse, status: response.status,
                detail: "the presign service responded with status \(response.status)",
                recoverySuggestion: "Check the endpoint: \(endpoint.absoluteString)", retryAfter: retryAfter,
                isRetryable: retryableStatuses.contains(response.status))
        }
        return service(problem, status: response.status, retryAfter: retryAfter)
    }

    /// Converts an error of the service: of a response, or of a request in a batch.
    static func service(_ problem: ProblemDetails, status: Int, retryAfter: TimeInterval? = nil) -> Self {
        let fields = (problem.errors ?? []).map { Field(name: Self.name($0.pointer), detail: $0.detail) }
        return Self(
            source: .service, code: StorageErrorCode(rawValue: problem.code), status: status,
            detail: problem.detail ?? problem.code, recoverySuggestion: problem.recoverySuggestion, fields: fields,
            requestID: problem.requestId, retryAfter: retryAfter, isRetryable: retryableStatuses.contains(status))
    }

    static func notPresign(_ endpoint: URL, status: Int) -> Self {
        Self(
            source: .service, code: .unexpectedResponse, status: status,
            detail: "the response is not from a presign service",
            recoverySuggestion: "Check the endpoint: \(endpoint.absoluteString)")
    }

    /// The name of the field that a JSON pointer (RFC 6901) names.
    private static func name(_ pointer: String) -> String {
        let path = pointer.hasPrefix("#") ? pointer.dropFirst() : pointer[...]
        let name = path.hasPrefix("/") ? path.dropFirst() : path
        return String(name).replacing("~1", with: "/").replacing("~0", with: "~")
    }
}

/// The header `Retry-After` (RFC 9110 section 10.2.3).
enum RetryAfter {
    /// Returns the seconds to wait: the header has their number or a date. Nil if it is absent or invalid.
    static func seconds(_ value: String?, now: Date) -> TimeInterval? {
        guard let value else { return nil }
        if let seconds = Int(value), seconds >= 0 { return TimeInterval(seconds) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.date(from: value).map { max(0, $0.timeIntervalSince(now)) }
    }
}

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
            source: .storage, code: code, status: status,
            detail: error?["Message"] ?? "the storage responded with status \(status)", requestID: requestID,
            retryAfter: RetryAfter.seconds(response.head["retry-after"], now: Date()),
            isRetryable: isAmbiguous || isDefinite, isAmbiguous: isAmbiguous)
    }

    static func unexpected(_ detail: String, status: Int) -> Self {
        Self(source: .storage, code: .unexpectedResponse, status: status, detail: detail)
    }

    /// Whether a new URL may help: the URL or its credentials have ended.
    func isExpiry(of signed: SignedRequest, now: ContinuousClock.Instant) -> Bool {
        guard source == .storage else { return false }
        if Self.credentialsEnded.contains(code) { return true }
        return status == 403 && (now >= signed.deadline || detail.lowercased().contains("expired"))
    }
}
