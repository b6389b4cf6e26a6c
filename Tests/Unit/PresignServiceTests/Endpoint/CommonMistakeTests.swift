import Requests
import SocketTestSupport
import Testing
import Text

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

    private static let sendFields =
        "Send the fields as JSON or as a form, such as curl -d path=photos/cat.jpg -d method=PUT; send a file to the "
        + "signed URL."

    private static func upload(_ fields: String) -> String {
        presignRequest(
            #"{"path":"inbox/a","method":"PUT","checksumSHA256":"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=","#
                + fields + "}")
    }

    private static let sendAsBearer =
        #"Send "Authorization: Bearer psk_..." or "X-API-Key: psk_..." (curl: -H 'X-API-Key: psk_...')."#

    private static func basic(_ text: String) -> String { Base64.encode(Array(text.utf8)) }

    private static let credentials = [
        Mistake(
            "wrong API key", presignRequest(path, key: Key.wrongSecret), 401, "The credentials are not valid",
            fix: "Check the API key (it may have been rotated or disabled), or get a new token."),
        Mistake(
            "API key without Bearer", presignRequest(path, key: nil, ["Authorization: " + Key.web]), 401,
            "The Authorization header has an API key without the scheme Bearer",
            fix: #"Send "Authorization: Bearer psk_..." or "X-API-Key: psk_..."."#),
        Mistake(
            "API key as the user of curl -u",
            presignRequest(path, key: nil, ["Authorization: Basic " + basic("\(Key.web):")]),
            401, "The API key was sent with Basic authentication, which presign accepts only below /o/ and /lfs/",
            fix: sendAsBearer),
        Mistake(
            "wrong API key as the password of curl -u",
            presignRequest(path, key: nil, ["Authorization: basic " + basic("web:\(Key.wrongSecret)")]), 401,
            "The API key was sent with Basic authentication, which presign accepts only below /o/ and /lfs/",
            fix: sendAsBearer),
        Mistake(
            "another user of curl -u", presignRequest(path, key: nil, ["Authorization: Basic " + basic("a:b")]), 401,
            "The credentials are not valid",
            fix: "Check the API key (it may have been rotated or disabled), or get a new token."),
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
            "path as an S3 URI", presignRequest(#"{"path":"s3://acme-media/public/a"}"#), 400,
            "path: the path is a URL, not the key of an object",
            fix: "Send only the part after the bucket's name, such as photos/cat.jpg."),
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
            "contentType: `text/html` is not allowed here; must be image/*"),
        Mistake(
            "file too large", upload(#""contentType":"image/png","contentLength":315000000"#), 422,
            "contentLength: 315000000 bytes is more than this rule allows (1 KiB)"),
        Mistake(
            "two limits at once", upload(#""contentType":"text/html","contentLength":4096"#), 422,
            "contentType: `text/html` is not allowed here; must be image/*; "
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
            "This route does not accept the request's method; it accepts POST, OPTIONS",
            fix: "Send the fields, such as path and method, with POST. Send a file to the signed URL."),
        Mistake(
            "a file sent with curl -T", "PUT /presign HTTP/1.1\r\nHost: presign.test\r\nContent-Length: 5\r\n\r\nHello",
            405, "This route does not accept the request's method; it accepts POST, OPTIONS",
            fix: "Send the fields, such as path and method, with POST. Send a file to the signed URL."),
        Mistake(
            "a file sent with its type", presignRequest("Hello", type: "image/png"), 415,
            "The body must be application/json or application/x-www-form-urlencoded, but is `image/png`",
            fix: sendFields),
        Mistake(
            "a large file", presignRequest(String(repeating: "x", count: 20_000), type: "image/png"), 413,
            "The body is larger than this resource accepts.",
            fix: "Send at most 4096 bytes of fields to this route, and send a file to the signed URL."),
        Mistake(
            "POST without a body", "POST /presign HTTP/1.1\r\nHost: presign.test\r\nX-API-Key: \(Key.web)\r\n\r\n", 400,
            "the body is empty", fix: sendFields),
        Mistake(
            "a form of curl -F",
            presignRequest("--x\r\n\r\n--x--\r\n", type: "multipart/form-data; boundary=x"), 415,
            "multipart/form-data, the type of curl -F, is not supported", fix: sendFields),
        Mistake(
            "a form sent as JSON", presignRequest("path=public/a&method=GET"), 400,
            "the body looks like a form, but its Content-Type is application/json",
            fix: "Send JSON, or remove the header Content-Type: curl -d sends that of a form."),
        Mistake(
            "a removal by a link", "DELETE /o/public/a HTTP/1.1\r\nHost: presign.test\r\n\r\n", 405,
            "This route does not accept the request's method; it accepts GET, HEAD, PUT, OPTIONS",
            fix: "Send POST /presign to get a URL for another method."),
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
        configuration.links = true
        let response = try TestService(configuration.yaml).exchange(mistake.request)
        let problem = try response.problem()
        #expect(response.status == mistake.status)
        #expect(problem.detail == mistake.message)
        #expect(problem.recoverySuggestion == mistake.fix)
    }
}
