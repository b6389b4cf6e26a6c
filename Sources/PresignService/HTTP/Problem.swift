package import HTTP1

/// An error answer: RFC 9457 problem details.
package struct Problem: Error, Sendable {
    /// The HTTP status.
    package let status: Int
    /// What kind of problem it is, for programs.
    package let code: ProblemCode
    /// One sentence that is the same for every occurrence.
    package let title: String
    /// What was wrong this time; for people.
    package let detail: String
    /// How to mend it, where that can be said.
    package var recoverySuggestion: String?
    /// Every member that is to blame.
    package var errors: [FieldFailure] = []
    /// The `Retry-After` header, in seconds.
    package var retryAfter: Int?
    /// The `Allow` header of a 405.
    package var allow: String?
    /// The quota that is used up, for a client that is told of its quotas.
    package var violatedPolicy: String?
    /// The `WWW-Authenticate` header of a 401 or 403, or of a 400 for the credentials' sake.
    package var challenge: String?

    /// A problem without members and headers.
    package init(_ status: Int, _ code: ProblemCode, _ title: String, _ detail: String, recovery: String? = nil) {
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        recoverySuggestion = recovery
    }
}

extension Problem {
    /// 400: one or more members of the body, each named.
    package static func validation(_ failures: [FieldFailure], recovery: String? = nil) -> Problem {
        let detail = failures.map(\.description).joined(separator: "; ")
        var problem = Problem(400, .validation, "The request is not valid", detail, recovery: recovery)
        problem.errors = failures
        return problem
    }

    /// 401: no credentials, where some are needed. Without an error code, as RFC 6750 section 3.1 asks.
    package static let credentialsMissing = unauthorized(
        .credentialsMissing, "This request needs credentials", #"Bearer realm="presign""#,
        "Send an API key as \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\".")

    /// 401: the same for every bad key, so that it tells nothing about which part was wrong.
    package static let credentialsRejected = unauthorized(
        .credentialsInvalid, "The credentials are not valid", #"Bearer realm="presign", error="invalid_token""#,
        "Check the API key, which may have been rotated or disabled, or get a new token.")

    /// 401: a token that was good until it expired. Who has one may know, and is to get the next.
    package static let tokenExpired = unauthorized(
        .tokenExpired, "The token has expired",
        #"Bearer realm="presign", error="invalid_token", error_description="The token has expired""#,
        "Get a new token.")

    /// 401: an API key past its `notAfter`. Only the holder of the key gets here.
    package static let keyExpired = unauthorized(
        .keyExpired, "The API key has expired",
        #"Bearer realm="presign", error="invalid_token", error_description="The API key has expired""#,
        "Ask the operator for a new API key.")

    /// 401: an API key in `Authorization` without the scheme; the same for good and bad keys.
    package static let schemeMissing = unauthorized(
        .credentialsInvalid, "The Authorization header holds an API key without the scheme Bearer",
        #"Bearer realm="presign", error="invalid_token""#,
        "Send \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\".")

    private static func unauthorized(
        _ code: ProblemCode, _ text: String, _ challenge: String, _ fix: String
    ) -> Problem {
        var problem = Problem(401, code, "Not authenticated", text, recovery: fix)
        problem.challenge = challenge
        return problem
    }

    /// 400: two sets of credentials (RFC 6750 sections 2 and 3.1).
    package static let credentialsAmbiguous: Problem = {
        var problem = Problem(
            400, .credentialsAmbiguous, "More than one set of credentials",
            "The request carries more than one of Authorization, X-API-Key, a client certificate, and an identity from a"
                + " proxy",
            recovery: "Send exactly one.")
        problem.challenge = #"Bearer realm="presign", error="invalid_request""#
        return problem
    }()

    /// 400: headers by which only a trusted proxy may tell who calls. What is wrong with them is for the log.
    package static let proxyHeadersRefused = Problem(
        400, .proxyHeaders, "Headers of a proxy",
        "The request has headers that only a trusted proxy may send, or they are not as it sends them",
        recovery: "Leave them out; a proxy removes the client's own and sends each once, with its secret.")

    /// 403: a known caller who may not.
    package static let forbidden = forbidden("You may not do this to this path")

    static func forbidden(_ detail: String) -> Problem {
        var problem = Problem(403, .forbidden, "Not allowed", detail)
        problem.challenge = #"Bearer realm="presign", error="insufficient_scope""#
        return problem
    }

    /// 403: a form from a web page of an origin that is not configured; browsers send such forms without asking.
    package static let foreignForm = Problem(
        403, .foreignOrigin, "Not allowed", "A form may be sent only from a configured origin",
        recovery: "Send JSON, or add the page's origin to cors.origins.")

    /// 404: no such path.
    package static let notFound = Problem(
        404, .noSuchRoute, "No such route", "There is nothing at this path", recovery: "POST to /presign.")

    /// 405, with what is allowed.
    package static func methodNotAllowed(_ allow: String) -> Problem {
        var problem = Problem(405, .methodNotAllowed, "Method not allowed", "This route takes \(allow)")
        problem.allow = allow
        return problem
    }

    /// 503: nothing to sign with just now.
    ///
    /// - Parameter retryAfter: seconds until there may be something; nil when nobody knows.
    package static func credentialsUnavailable(_ detail: String, retryAfter: Int? = nil) -> Problem {
        var problem = Problem(503, .credentialsUnavailable, "No usable storage credentials", detail)
        problem.retryAfter = retryAfter ?? 5
        return problem
    }

    /// 422: the caller may do it, but not like this; every limit that is not met is listed.
    static func constraint(_ failures: [FieldFailure]) -> Problem {
        let detail = failures.map(\.description).joined(separator: "; ")
        var problem = Problem(422, .constraint, "The request does not meet the rule's limits", detail)
        problem.errors = failures
        return problem
    }

    /// What the server itself refused.
    package init(_ failure: HTTPFailure) {
        self.init(failure.status, failure.code, failure.title, failure.reason)
        if failure.status == 503 { retryAfter = 1 }
    }
}

extension HTTPFailure {
    fileprivate var code: ProblemCode {
        switch status {
        case 400: .malformedRequest
        case 408: .timeout
        case 413: .bodyTooLarge
        case 414: .targetTooLong
        case 417: .expectationFailed
        case 431: .headersTooLarge
        case 501: .notImplemented
        case 503: .overloaded
        case 504: .storageTimeout
        case 505: .httpVersion
        default: .serverError
        }
    }

    fileprivate var title: String {
        switch status {
        case 400: "Malformed HTTP request"
        case 408: "The request took too long"
        case 413: "The body is too large"
        case 414: "The request target is too long"
        case 417: "Expectation failed"
        case 431: "The headers are too large"
        case 501: "Not implemented"
        case 503: "Overloaded"
        case 504: "The answer took too long"
        case 505: "HTTP version not supported"
        default: "The request failed"
        }
    }
}
