import SocketTestSupport
import Testing

@testable import PresignServiceTestSupport

/// The most common mistakes in requests. Each message must state the field, the value and the fix.
@Suite("Common mistakes in requests")
struct CommonMistakeTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let request: String
        let status: Int
        let message: String
        /// The recovery suggestion; nil if the message itself states the fix.
        let fix: String?

        init(_ name: String, _ request: String, _ status: Int, _ message: String, fix: String? = nil) {
            (testDescription, self.request) = (name, request)
            (self.status, self.message, self.fix) = (status, message, fix)
        }
    }

    private typealias Key = SampleConfiguration.Key
    private static let path = #"{"path":"public/a"}"#
    private static let jsonHeader =
        "Add the header Content-Type: application/json "
        + "(curl: -H 'Content-Type: application/json')."
    private static let askForAccess = "Ask the operator for access; the log has the reason under this requestId."
    private static let sendKey = #"Send an API key as "Authorization: Bearer psk_..." or "X-API-Key: psk_..."."#

    private static func upload(_ fields: String) -> String {
        presignRequest(
            #"{"path":"inbox/a","method":"PUT","checksumSHA256":"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=","#
                + fields + "}")
    }

    private static let credentials = [
        Mistake(
            "wrong API key", presignRequest(path, key: Key.wrongSecret), 401, "The credentials are not valid",
            fix: "Check the API key (it may have been rotated or disabled), or get a new token."),
        Mistake(
            "API key without Bearer", presignRequest(path, key: nil, ["Authorization: " + Key.web]), 401,
            "The Authorization header has an API key without the scheme Bearer",
            fix: #"Send "Authorization: Bearer psk_..." or "X-API-Key: psk_..."."#),
        Mistake(
            "expired API key", presignRequest(path, key: Key.old), 401, "The API key has expired",
            fix: "Ask the operator for a new API key."),
        Mistake(
            "guest without rights", presignRequest(#"{"path":"public/a","method":"PUT"}"#, key: nil), 401,
            "This request needs credentials", fix: sendKey),
        Mistake(
            "caller without rights", presignRequest(#"{"path":"elsewhere/a"}"#), 403,
            "The access rules do not allow you this operation on this path", fix: askForAccess),
    ]

    private static let fields = [
        Mistake(
            "misspelt field", presignRequest(#"{"path":"public/a","expiresin":60}"#), 400,
            "expiresin: unknown field; did you mean `expiresIn`?"),
        Mistake(
            "field of another API", presignRequest(#"{"path":"public/a","lifetime":60}"#), 400,
            "lifetime: unknown field; GET /openapi.yaml lists the fields"),
        Mistake("no path", presignRequest("{}"), 400, "path: is missing; send the object's path"),
        Mistake(
            "path with ..", presignRequest(#"{"path":"public/../a"}"#), 400,
            #"path: the path contains a segment "." or "..""#,
            fix: "Remove the segment; HTTP clients resolve such segments, so the URL would address another object."),
        Mistake(
            "path with a leading slash", presignRequest(#"{"path":"/public/a"}"#), 400,
            "path: the path begins with a slash", fix: "Remove the leading slash."),
        Mistake(
            "unknown store", presignRequest(#"{"path":"public/a","store":"medai"}"#), 400,
            "store: unknown store `medai`",
            fix: "Correct the name, or omit `store` for the default store."),
        Mistake(
            "method in lower case", presignRequest(#"{"path":"public/a","method":"put"}"#), 400,
            "method: must be GET, PUT, HEAD, DELETE or POST, in upper case, but is `put`"),
        Mistake(
            "expiresIn with a unit", presignRequest(#"{"path":"public/a","expiresIn":"1h"}"#), 400,
            "expiresIn: must be a whole number of seconds, such as 3600"),
    ]

    private static let limits = [
        Mistake(
            "expiresIn above the maximum", presignRequest(#"{"path":"inbox/a","expiresIn":7200}"#), 422,
            "expiresIn: 7200 seconds is more than the maximum (900 seconds)"),
        Mistake(
            "refused content type", upload(#""contentType":"text/html","contentLength":5"#), 422,
            "contentType: text/html is not allowed here; must be image/*"),
        Mistake(
            "file too large", upload(#""contentType":"image/png","contentLength":315000000"#), 422,
            "contentLength: 315000000 bytes is more than this rule allows (1 KiB)"),
        Mistake(
            "two limits at once", upload(#""contentType":"text/html","contentLength":4096"#), 422,
            "contentType: text/html is not allowed here; must be image/*; "
                + "contentLength: 4096 bytes is more than this rule allows (1 KiB)"),
    ]

    private static let messages = [
        Mistake(
            "no Content-Type", presignRequest(path, type: nil), 415,
            "The body looks like JSON, but it has no Content-Type", fix: jsonHeader),
        Mistake(
            "JSON sent as a form, as curl -d does", presignRequest(path, type: "application/x-www-form-urlencoded"),
            400,
            "the body looks like JSON, but its Content-Type is application/x-www-form-urlencoded", fix: jsonHeader),
        Mistake(
            "JSON with single quotes", presignRequest("{'path':'public/a'}"), 400,
            "the body is malformed: expected a string, at byte 1"),
        Mistake(
            "GET instead of POST", "GET /presign HTTP/1.1\r\nHost: presign.test\r\n\r\n", 405,
            "This route does not accept the request's method; it accepts POST, OPTIONS"),
        Mistake(
            "misspelt route", presignRequest(path).replacing("/presign ", with: "/presing "), 404,
            "This path is not a route of the service", fix: "Send POST /presign to get a URL."),
        Mistake(
            "fields in the query", presignRequest(path).replacing("/presign ", with: "/presign?path=public/a "), 400,
            "this route reads no query, but the request has `path`", fix: "Move these fields into the body."),
    ]

    @Test("The response states the field, the value and the fix", arguments: credentials + fields + limits + messages)
    func response(_ mistake: Mistake) throws {
        var configuration = SampleConfiguration()
        configuration.guest = true
        let response = try TestService(configuration.yaml).exchange(mistake.request)
        let problem = try response.problem()
        #expect(response.status == mistake.status)
        #expect(problem.detail == mistake.message)
        #expect(problem.recoverySuggestion == mistake.fix)
    }
}
