import DataFormats
package import HTTP1
package import Presigning
import Requests
import System
import Telemetry
package import Text

/// The form of a response that carries a problem.
package enum ProblemForm: Sendable {
    /// RFC 9457.
    case json
    /// One line.
    case text
    /// As JSON for a Git LFS client, which shows `message`.
    case lfs
    /// As JSON for a client of Apache Iceberg.
    case iceberg

    fileprivate var mediaType: String {
        switch self {
        case .json: "application/problem+json"
        case .text: "text/plain; charset=utf-8"
        case .lfs: "application/vnd.git-lfs+json"
        case .iceberg: "application/json"
        }
    }
}

extension Problem {
    /// Returns the response that carries the problem.
    package func response(requestID: RequestID, as form: ProblemForm) -> HTTPResponse {
        var body = ByteBuffer(capacity: 512)
        switch form {
        case .text: appendText(to: &body, requestID: requestID)
        case .json, .lfs: append(to: &body, requestID: requestID)
        case .iceberg: appendIceberg(to: &body)
        }
        body.append("\n")
        var response = HTTPResponse(status: status, content: body.finish())
        response.add("content-type", form.mediaType)
        if let retryAfter { response.add("retry-after", String(retryAfter)) }
        if let allow { response.add("allow", allow) }
        if let challenge { response.add("www-authenticate", challenge) }
        // Which credentials git asks for (git-lfs, docs/api/authentication.md).
        if form == .lfs, status == 401 { response.add("lfs-authenticate", Self.basicChallenge) }
        return response
    }

    /// Appends the problem as `ErrorModel` (Apache Iceberg, rest-catalog-open-api).
    private func appendIceberg(to body: inout ByteBuffer) {
        body.appendObject { json in
            json.object("error") {
                $0.member("message", sentence)
                $0.member("type", Self.exceptions[status] ?? "RESTException")
                $0.member("code", status)
            }
        }
    }

    /// The names of exceptions by status, as the Java client of Apache Iceberg has them.
    private static let exceptions = [
        400: "BadRequestException", 401: "NotAuthorizedException", 403: "ForbiddenException",
        404: "NotFoundException", 422: "UnprocessableEntityException", 429: "TooManyRequestsException",
        503: "ServiceUnavailableException",
    ]

    /// What is wrong, and how to fix it.
    private var sentence: String {
        let end = detail.utf8.last == UInt8(ascii: ".") ? "" : "."
        return detail + (recoverySuggestion.map { "\(end) \($0)" } ?? "")
    }

    /// Appends the problem as one line, which cannot control a terminal although it may quote the request.
    private func appendText(to body: inout ByteBuffer, requestID: RequestID) {
        body.append(visible: Array("error \(status) \(code.text): \(sentence)".utf8)[...])
        body.append(" (requestId ")
        body.append(requestID.bytes.span)
        body.append(")")
    }

    /// Appends the problem as a JSON object.
    ///
    /// - Parameter isItem: true for a batch item, which has `retryAfter` as a member instead of a header.
    package func append(to body: inout ByteBuffer, requestID: RequestID, isItem: Bool = false) {
        body.appendObject { json in
            json.member(
                "type", violatedPolicy == nil ? "urn:presign:problem:" + code.text : Self.quotaExceededType)
            json.member("title", title)
            json.member("status", status)
            json.member("detail", detail)
            // Clients such as Uppy show this member to the user.
            json.member("message", detail)
            json.member("code", code.text)
            json.member("requestId", requestID.bytes.span)
            json.member("recoverySuggestion", recoverySuggestion)
            if let violatedPolicy { json.array("violated-policies", [violatedPolicy]) }
            if isItem { json.member("retryAfter", retryAfter) }
            guard !errors.isEmpty else { return }
            json.array("errors") { json in
                for error in errors {
                    json.object {
                        $0.member("pointer", error.pointer)
                        $0.member("detail", error.detail)
                    }
                }
            }
        }
    }
}

extension FieldFailure {
    /// The field, and the entry in it, as a JSON Pointer in a URI fragment (RFC 6901 sections 3 and 6).
    fileprivate var pointer: String {
        field.isEmpty ? "#" : "#/" + Self.token(field) + (entry.map { "/" + Self.token($0) } ?? "")
    }

    private static func token(_ name: String) -> String {
        var token = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token.append(contentsOf: "~0".unicodeScalars)
            case "/": token.append(contentsOf: "~1".unicodeScalars)
            default: token.append(scalar)
            }
        }
        return String(token)
    }
}

extension Problem {
    /// Maps an error of the signing core to an HTTP problem.
    package init(_ error: StorageError) {
        switch error {
        case .validation(let field, let description, let suggestion):
            self = .validation([FieldFailure(field, description)], recovery: suggestion)
        case .keyNotFound:
            self.init(
                404, .keyNotFound, "No such object", "No object exists at this path",
                recovery: error.recoverySuggestion)
        case .accessDenied(let description, let suggestion):
            self.init(403, .forbidden, "Not allowed", description, recovery: suggestion)
        case .authError(let description, let suggestion):
            self = .credentialsUnavailable(description)
            recoverySuggestion = suggestion
        case .service(let description, let suggestion):
            self.init(502, .storageError, "Unexpected response from the storage", description, recovery: suggestion)
        }
    }
}

extension Problem {
    /// The problem type for an exceeded quota (draft-ietf-httpapi-ratelimit-headers-10).
    static let quotaExceededType = "https://iana.org/assignments/http-problem-types#quota-exceeded"

    /// 429: the rate limit is exceeded.
    ///
    /// - Parameter isShown: whether clients may see which limit it is.
    static func rateLimited(_ status: RateLimitStatus, isShown: Bool) -> Problem {
        let seconds = status.decision.retryAfter
        let detail =
            switch status.policy {
            case .caller: "You have exceeded your limit of \(status.limit)"
            case .guest: "Requests without credentials from your address have exceeded the limit of \(status.limit)"
            case .failedAuthentications:
                "Too many failed authentications from your address; tokens are not verified until the wait is over"
            case .shareClient: "Uses of share links from your address have exceeded the limit of \(status.limit)"
            }
        var problem = Problem(
            429, .rateLimited, "Too many requests", detail,
            recovery: "Try again in \(seconds) \(seconds == 1 ? "second" : "seconds").", retryAfter: seconds)
        if isShown { problem.violatedPolicy = status.policy.text }
        return problem
    }
}

extension RateLimit: CustomStringConvertible {
    /// `100 requests a second`.
    package var description: String {
        "\(count) \(count == 1 ? "request" : "requests") \(period == 1 ? "a second" : period == 60 ? "a minute" : "an hour")"
    }
}
