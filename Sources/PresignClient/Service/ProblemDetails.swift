import Foundation

/// The service's errors (RFC 9457).
private struct ProblemDetails: Decodable {
    struct Item: Decodable {
        let pointer: String
        let detail: String
    }

    let code: String
    let detail: String?
    let recoverySuggestion: String?
    let requestId: String?
    let errors: [Item]?
}

extension StorageFailure {
    /// Converts a response of the service. It may come from a proxy instead.
    static func service(_ response: HTTPResponse, endpoint: URL) -> Self {
        let retryable = [429, 502, 503, 504].contains(response.status)
        let retryAfter = RetryAfter.seconds(response.head["retry-after"], now: Date())
        guard let problem = try? JSONDecoder().decode(ProblemDetails.self, from: response.body) else {
            return Self(
                .service, .unexpectedResponse, status: response.status,
                detail: "the presign service responded with status \(response.status)",
                recoverySuggestion: "Check the endpoint: \(endpoint.absoluteString)", retryAfter: retryAfter,
                isRetryable: retryable)
        }
        let fields = (problem.errors ?? []).map { Field(name: Self.name($0.pointer), detail: $0.detail) }
        return Self(
            .service, StorageErrorCode(rawValue: problem.code), status: response.status,
            detail: problem.detail ?? problem.code, recoverySuggestion: problem.recoverySuggestion, fields: fields,
            requestID: problem.requestId, retryAfter: retryAfter, isRetryable: retryable)
    }

    static func notPresign(_ endpoint: URL, status: Int) -> Self {
        Self(
            .service, .unexpectedResponse, status: status, detail: "the response is not from a presign service",
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
