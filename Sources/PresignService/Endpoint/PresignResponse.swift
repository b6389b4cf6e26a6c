import AccessRules
import CallerAuthentication
import DataFormats
package import HTTP1
import ObjectExistence
package import Presigning
import Requests
import Text

/// The response that carries a signed URL.
package struct PresignResponse: Sendable {
    /// The HEAD request that decides whether the URL is returned.
    package struct Check: Sendable {
        /// What is returned instead of the URL.
        enum Replacement {
            /// The object of a download cannot be found.
            case refusal(Problem)
            /// The storage has the object of an upload.
            case stored
        }

        /// The URL signed for HEAD.
        let url: String
        /// The object's full key, the store's prefix included.
        let key: StoragePath
        /// The length in bytes of an upload; nil for a download.
        var uploadLength: Int64?

        /// Returns what replaces the URL; nil if the URL is returned.
        func replacement(for outcome: ExistenceOutcome) -> Replacement? {
            if let uploadLength { return outcome.finds(length: uploadLength) ? .stored : nil }
            return outcome.problem(for: key).map { .refusal($0) }
        }
    }

    /// The signed URL, or the action of a form, which is not signed.
    package let url: PresignedURL
    /// The fields of a form, which are signed; empty for a URL.
    let fields: [PresignedForm.Field]
    /// The object's path as requested, without the store's prefix.
    let path: [UInt8]
    let bucket: S3Bucket
    /// Nil if no check was requested.
    var check: Check?

    /// - Parameter path: the object's path as requested, without the store's prefix.
    package init(
        url: PresignedURL, fields: [PresignedForm.Field] = [], path: [UInt8], in bucket: S3Bucket, check: Check? = nil
    ) {
        (self.url, self.fields, self.path, self.bucket, self.check) = (url, fields, path, bucket, check)
    }

    /// The URL and a line feed, for a caller that prefers text.
    package var text: HTTPResponse { HTTPResponse(status: 200, fields: .text, body: url.bytes + [0x0A]) }

    /// Returns a redirect to the URL that keeps the method (RFC 9110 section 15.4.8).
    ///
    /// - Parameter varying: the headers that decide who calls; nil if the redirect must not be cached.
    func redirect(varyingBy varying: String?, fields: HTTPFields = .redirect) -> HTTPResponse {
        var response = HTTPResponse(status: 307, fields: fields)
        _ = url.content.withSpan { response.add("location", $0) }
        if let varying, url.stableFor > 0 {
            response.isCacheable = true
            response.add("cache-control", "private, max-age=\(url.stableFor)")
            response.add("vary", varying)
        }
        return response
    }

    /// The response as a JSON object.
    package var json: [UInt8] {
        var body = ByteBuffer(capacity: Self.usualSize)
        append(to: &body)
        return body.bytes
    }

    /// Appends the response as a JSON object.
    func append(to body: inout ByteBuffer) {
        // A URL and a method contain no character that needs escaping.
        body.append(#"{"url":""#)
        body.append(url.content)
        body.append(#"","method":""#)
        body.append(url.methodName)
        body.append(#"","headers":"#)
        var hasLength = false
        body.appendObject { json in
            for header in url.headers {
                hasLength = hasLength || header.name == "content-length"
                json.member(named: header.name.utf8.span, header.value.utf8.span)
            }
        }
        body.appendMembers { json in
            // HTTP clients set this header themselves, and browsers do not let scripts set it.
            if hasLength { json.array("automaticHeaders", ["content-length"]) }
            if !fields.isEmpty {
                json.object("fields") { json in
                    for field in fields { json.member(named: field.name.utf8.span, field.value.utf8.span) }
                }
            }
            json.member("key", path)
            json.member("bucket", bucket.name)
            json.member("region", bucket.endpoint.region)
            json.member("expiresIn", url.expiresIn)
            json.member("expiresAt") { output in
                output.append(ASCII.quote)
                url.expiresAt.appendRFC3339(to: &output)
                output.append(ASCII.quote)
            }
            json.member("limitedBy", url.limitedBy?.rawValue)
        }
        body.append(UInt8(ascii: "}"))
    }

    /// The typical size in bytes of a response with long-lived credentials.
    static let usualSize = 640
}

extension PresignSource {
    /// Returns why the response cannot have the format that the request asks for: text has only the URL, but the client
    /// must send headers or fields too. Nil if it can.
    func refusal(of response: PresignResponse) -> Problem? {
        guard case .body(asText: true) = self else { return nil }
        guard response.fields.isEmpty else { return .textWithoutFields }
        // HTTP clients send the length by themselves.
        let names = response.url.headers.map(\.name).filter { $0 != "content-length" }
        return names.isEmpty ? nil : .textWithoutHeaders(names)
    }

    /// Returns the response in the form that the request asks for: a redirect, text, or JSON.
    func response(
        with response: PresignResponse, to caller: Caller, by authenticator: CallerAuthenticator
    ) -> HTTPResponse {
        switch self {
        case .link: return response.redirect(varyingBy: authenticator.headersDeciding(caller))
        // No browser caches it, so that each use is decided.
        case .share: return response.redirect(varyingBy: nil, fields: .shareRedirect)
        case .body(asText: true): return response.text
        case .body, .item:
            var body = ByteBuffer(capacity: PresignResponse.usualSize)
            response.append(to: &body)
            body.append(ASCII.lineFeed)
            return HTTPResponse(status: 200, fields: .json, content: body.finish())
        }
    }
}

extension HTTPFields {
    package static let text = HTTPFields([("content-type", "text/plain; charset=utf-8")])
    static let json = HTTPFields([("content-type", "application/json")])
    /// The Prometheus text format (Prometheus, "Exposition formats").
    static let metrics = HTTPFields([("content-type", "text/plain; version=0.0.4; charset=utf-8")])
    static let redirect = HTTPFields([("referrer-policy", "no-referrer")])
    static let shareRedirect = HTTPFields([
        ("referrer-policy", "no-referrer"), ("x-robots-tag", "noindex"),
        ("cross-origin-resource-policy", "cross-origin"),
    ])
}

extension HTTPResponse {
    /// A JSON object.
    static func json(_ members: (inout JSONWriter) -> Void) -> HTTPResponse {
        var body = ByteBuffer()
        body.appendObject(members)
        body.append(ASCII.lineFeed)
        return HTTPResponse(status: 200, fields: .json, content: body.finish())
    }

    package static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: Array(text.utf8))
    }
}
