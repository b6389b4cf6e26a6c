package import HTTP1
package import Requests
import Telemetry

/// The kinds of problems. Each has a stable word for programs, which is also a label of `presign_refusals_total`.
package enum ProblemCode: Int, MetricLabel {
    case validation, malformedRequest
    case credentialsAmbiguous, proxyHeaders, credentialsMissing, credentialsInvalid, tokenExpired, keyExpired
    case forbidden, foreignOrigin
    case noSuchRoute, keyNotFound, shareInvalid, shareEnded, methodNotAllowed, notAcceptable
    case timeout, lengthRequired, bodyTooLarge, targetTooLong, unsupportedMediaType, expectationFailed
    case misdirectedRequest, constraint, rateLimited, headersTooLarge
    case serverError, notImplemented
    case storageDenied, storageError, storageUnreachable, storageTimeout
    case overloaded, credentialsUnavailable, issuerKeysUnavailable, httpVersion

    /// The word in a problem's `code` and `type`, in logs and in metrics: the name of the case, hyphenated.
    package var text: String { Self.words[rawValue] }

    private static let words = allCases.map { code in
        "\(code)".reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
    }
}

/// An error response: RFC 9457 problem details.
package struct Problem: Error, Sendable {
    /// The HTTP status.
    package let status: Int
    /// The kind of problem, for programs.
    package let code: ProblemCode
    /// A short summary, the same for every occurrence.
    package let title: String
    /// What was wrong with this request, for people.
    package let detail: String
    /// How to fix it, if known.
    package var recoverySuggestion: String?
    /// Every invalid field.
    package let errors: [FieldFailure]
    /// The `Retry-After` header, in seconds.
    package var retryAfter: Int?
    /// The `Allow` header of a 405.
    package let allow: String?
    /// The exceeded quota, if clients may see it.
    package var violatedPolicy: String?
    /// The `WWW-Authenticate` header of a 401, a 403, or a 400 about credentials.
    package let challenge: String?

    package init(
        _ status: Int, _ code: ProblemCode, _ title: String, _ detail: String, recovery: String? = nil,
        errors: [FieldFailure] = [], retryAfter: Int? = nil, allow: String? = nil, challenge: String? = nil
    ) {
        (self.status, self.code, self.title, self.detail) = (status, code, title, detail)
        recoverySuggestion = recovery
        (self.errors, self.retryAfter, self.allow, self.challenge) = (errors, retryAfter, allow, challenge)
    }

    /// A problem with the fields of a request.
    private init(
        _ status: Int, _ code: ProblemCode, _ title: String, _ errors: [FieldFailure], recovery: String? = nil
    ) {
        let detail = errors.map(\.description).joined(separator: "; ")
        self.init(status, code, title, detail, recovery: recovery, errors: errors)
    }
}

extension Problem {
    /// 400: one or more invalid fields.
    package static func validation(_ failures: [FieldFailure], recovery: String? = nil) -> Problem {
        Problem(400, .validation, "Invalid request", failures, recovery: recovery)
    }

    /// 400: the invalid fields of a request. 403: they are why the rules do not allow it.
    package init(_ invalid: InvalidRequest, status: Int = 400) {
        self = Problem(
            status, status == 400 ? .validation : .forbidden, "Invalid request", invalid.errors,
            recovery: invalid.recoverySuggestion)
    }

    /// Returns the result of decoding a request.
    ///
    /// - Throws: `Problem` 400 for its invalid fields.
    static func reporting<Request>(
        _ decode: () throws(InvalidRequest) -> Request
    ) throws(Problem) -> Request {
        do throws(InvalidRequest) { return try decode() } catch { throw Problem(error) }
    }

    /// 401: credentials are required. The challenge has no error code, as RFC 6750 section 3.1 requires.
    package static let credentialsMissing = unauthorized(
        .credentialsMissing, "This request needs credentials", #"Bearer realm="presign""#,
        "Send an API key as \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\".")

    /// 401: an API key in the query, which presign does not read; the same for valid and invalid keys.
    package static let keyInQuery = unauthorized(
        .credentialsMissing, "The API key is in the URL, where logs and proxies record it",
        #"Bearer realm="presign""#,
        "Send it as \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\", and replace this key.")

    private static let invalidToken = #"Bearer realm="presign", error="invalid_token""#

    /// 401: the same for all invalid credentials, so it does not reveal which part was wrong.
    package static let credentialsRejected = unauthorized(
        .credentialsInvalid, "The credentials are not valid", invalidToken,
        "Check the API key (it may have been rotated or disabled), or get a new token.")

    /// 401: the same with the reason.
    static func rejected(because reason: String, fix: String) -> Problem {
        unauthorized(.credentialsInvalid, "The credentials are not valid: \(reason)", invalidToken, fix)
    }

    /// 401: a token that was valid until it expired, so its holder may know why it fails.
    package static let tokenExpired = unauthorized(
        .tokenExpired, "The token has expired",
        #"Bearer realm="presign", error="invalid_token", error_description="The token has expired""#,
        "Get a new token.")

    /// 401: an API key past its `notAfter`. Only the key's holder can receive this.
    package static let keyExpired = unauthorized(
        .keyExpired, "The API key has expired",
        #"Bearer realm="presign", error="invalid_token", error_description="The API key has expired""#,
        "Ask the operator for a new API key.")

    /// 401: an API key in `Authorization` without a scheme; the same for valid and invalid keys.
    package static let schemeMissing = unauthorized(
        .credentialsInvalid, "The Authorization header has an API key without the scheme Bearer",
        invalidToken, "Send \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\".")

    /// 401: an API key in `Authorization: Basic`, as of `curl -u`; the same for valid and invalid keys.
    package static let keyInBasic = unauthorized(
        .credentialsInvalid,
        "The API key was sent with Basic authentication, which presign accepts only below /o/ and /lfs/",
        invalidToken,
        "Send \"Authorization: Bearer psk_...\" or \"X-API-Key: psk_...\" (curl: -H 'X-API-Key: psk_...').")

    /// The challenge that makes browsers and other clients ask for a user name and a password.
    static let basicChallenge = #"Basic realm="presign""#

    private static func unauthorized(
        _ code: ProblemCode, _ text: String, _ challenge: String, _ fix: String
    ) -> Problem {
        Problem(401, code, "Not authenticated", text, recovery: fix, challenge: challenge)
    }

    /// 400: more than one set of credentials (RFC 6750 sections 2 and 3.1).
    package static let credentialsAmbiguous = Problem(
        400, .credentialsAmbiguous, "More than one set of credentials",
        "The request has more than one of: Authorization, X-API-Key, client certificate, "
            + "proxy identity, a token in a header of a proxy",
        recovery: "Send exactly one of them.", challenge: #"Bearer realm="presign", error="invalid_request""#)

    /// 400: invalid proxy headers. Only the log has the reason.
    package static let proxyHeadersRefused = Problem(
        400, .proxyHeaders, "Invalid proxy headers",
        "The request has headers that only a trusted proxy may send, or the proxy sent them incorrectly",
        recovery:
            "Clients: remove these headers. Proxies: drop the client's copies, and send each header once, with the"
            + " shared secret.")

    /// 403: the access rules do not allow an authenticated caller's request.
    package static let forbidden = forbidden(
        "The access rules do not allow you this operation on this path",
        recovery: "Ask the operator for access; the log has the reason under this requestId.")

    static func forbidden(_ detail: String, recovery: String) -> Problem {
        Problem(
            403, .forbidden, "Not allowed", detail, recovery: recovery,
            challenge: #"Bearer realm="presign", error="insufficient_scope""#)
    }

    /// 403: a form from a web page whose origin is not configured; browsers send such forms without a preflight.
    package static let foreignForm = Problem(
        403, .foreignOrigin, "Not allowed", "Forms are accepted only from the origins in cors.origins",
        recovery: "Send JSON, or add the page's origin to cors.origins.")

    /// 403: a request to sign from a web page. No page needs it, so that none can use a caller's credentials for it.
    static let signingFromPage = Problem(
        403, .foreignOrigin, "Not allowed", "Requests of web pages are not signed for Apache Iceberg",
        recovery: "Send POST /presign, or omit the header Origin.")

    /// 403: a script for a service worker, which would have control of the pages of this origin (Service Workers,
    /// appendix B). Scripts that a worker imports are requested without `Service-Worker`.
    static let serviceWorker = Problem(
        403, .forbidden, "Not allowed", "No service worker can be registered on this origin",
        recovery: "Register a script of the application's origin that runs importScripts(\".../presign-worker.js\").")

    /// 403: Basic credentials that a browser added to the request of a page whose origin is not configured.
    static let foreignBasic = Problem(
        403, .foreignOrigin, "Not allowed",
        "Basic authentication is accepted from web pages only if their origin is in cors.origins",
        recovery:
            "Open the address itself, send \"Authorization: Bearer psk_...\", or add the page's origin to cors.origins."
    )

    /// 404: no such route.
    package static let notFound = Problem(
        404, .noSuchRoute, "No such route", "This path is not a route of the service",
        recovery: "Send POST /presign to get a URL.")

    /// 405, with the allowed methods. It does not name the request's method: HEAD must get the same length as GET.
    package static func methodNotAllowed(_ allow: String, recovery: String? = nil) -> Problem {
        Problem(
            405, .methodNotAllowed, "Method not allowed",
            "This route does not accept the request's method; it accepts \(allow)", recovery: recovery, allow: allow)
    }

    /// 406: the client prefers text, which cannot name the headers that belong to the URL.
    static func textWithoutHeaders(_ names: [String]) -> Problem {
        Problem(
            406, .notAcceptable, "Not acceptable",
            "Requests to this URL need headers, which a text response cannot contain: \(names.joined(separator: ", "))",
            recovery: "Send Accept: application/json, and send the `headers` of the response with the request to `url`."
        )
    }

    /// 406: the client prefers text, which cannot contain the fields of a form.
    static let textWithoutFields = Problem(
        406, .notAcceptable, "Not acceptable", "A form needs its fields, which a text response cannot contain",
        recovery: "Send Accept: application/json, and put the `fields` of the response into the form.")

    /// 503: no usable storage credentials.
    ///
    /// - Parameter retryAfter: seconds until the next attempt to get credentials; nil if unknown, which means 5.
    package static func credentialsUnavailable(_ detail: String, retryAfter: Int? = nil) -> Problem {
        Problem(503, .credentialsUnavailable, "No usable storage credentials", detail, retryAfter: retryAfter ?? 5)
    }

    /// 503: the token's issuer is known, but the key to verify it with is being fetched.
    ///
    /// - Parameter retryAfter: seconds until new keys can be expected.
    package static func issuerKeysUnavailable(retryAfter: Int) -> Problem {
        Problem(
            503, .issuerKeysUnavailable, "No key for the token",
            "The service is fetching the keys of the token's issuer",
            recovery: "Send the request again after Retry-After.", retryAfter: retryAfter)
    }

    /// 421: a host name that the service does not accept.
    static func misdirected(_ request: MisdirectedRequest) -> Problem {
        let addition = request.origin.map {
            ", or add the name to the configuration: `cors: {origins: [\"\($0)\"]}`; without a file, start with "
                + "`--cors-origin \($0)`"
        }
        return Problem(
            421, .misdirectedRequest, "Misdirected request",
            "With local storage, presign accepts requests only for localhost, IP addresses and configured names",
            recovery: "Use localhost or an IP address\(addition ?? "").")
    }

    /// 422: a rule allows the action, but the rule or the storage not with these values. Lists every unmet limit.
    static func constraint(_ failures: [FieldFailure], status: Int = 422) -> Problem {
        Problem(status, .constraint, "The request does not meet the limits of the rule or the storage", failures)
    }

    /// Maps a failure of the HTTP server to a problem.
    package init(_ failure: HTTPFailure) {
        guard failure != .responseTimeout else {
            self.init(
                504, .storageTimeout, "The response took too long",
                "The response was not complete within server.timeouts.answer",
                recovery: "Try again; a batch may need fewer existence checks.")
            return
        }
        let (code, title) = failure.kind
        self.init(
            failure.status, code, title, failure.reason, retryAfter: failure.status == 503 ? 1 : nil)
    }
}

extension HTTPFailure {
    fileprivate var kind: (code: ProblemCode, title: String) {
        switch status {
        case 400: (.malformedRequest, "Malformed HTTP request")
        case 408: (.timeout, "The request took too long")
        case 413: (.bodyTooLarge, "The body is too large")
        case 414: (.targetTooLong, "The request target is too long")
        case 417: (.expectationFailed, "Expectation failed")
        case 431: (.headersTooLarge, "The headers are too large")
        case 501: (.notImplemented, "Not implemented")
        case 503: (.overloaded, "Overloaded")
        case 505: (.httpVersion, "HTTP version not supported")
        default: (.serverError, "The request failed")
        }
    }
}
