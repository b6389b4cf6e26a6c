import DataFormats
package import HTTP1
package import Presigning
import Text

/// What a client is told of a signed URL.
package struct PresignResponse: Sendable {
    /// The signed URL.
    package let url: PresignedURL
    /// The object's path as it was asked for, without the store's prefix.
    let path: [UInt8]
    /// Where the object is; nil where that is not known.
    let bucket: String?
    let region: String?

    /// - Parameters:
    ///   - path: the object's path as it was asked for, without the store's prefix.
    ///   - endpoint: where the bucket is; nil where that is not known.
    package init(url: PresignedURL, path: [UInt8], in endpoint: S3EndpointOptions?) {
        (self.url, self.path, bucket, region) = (url, path, endpoint?.bucket, endpoint?.region)
    }

    init(_ presigned: PresignedObject) {
        let bucket = presigned.store.configuration.bucket
        (url, path, self.bucket, region) = (presigned.url, presigned.path, bucket.name, bucket.endpoint.region)
    }

    /// The URL alone on a line, for a caller that prefers text.
    package var text: HTTPResponse { HTTPResponse(status: 200, fields: .text, body: url.bytes + [0x0A]) }

    /// The redirection to the URL, with the same method (RFC 9110 15.4.8).
    var redirect: HTTPResponse {
        var response = HTTPResponse(status: 307)
        response.add("location", url.bytes)
        response.add("referrer-policy", "no-referrer")
        return response
    }

    /// One JSON object.
    package var json: [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(Self.usualSize)
        append(to: &body)
        return body
    }

    /// Appends one JSON object.
    func append(to body: inout [UInt8]) {
        body.append(#"{"url":"#)
        body.appendJSON(string: url.bytes)
        body.appendMember("method", "\(url.methodName)")
        body.append(#","headers":{"#)
        for (index, header) in url.headers.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.appendJSON(string: header.name)
            body.append(UInt8(ascii: ":"))
            body.appendJSON(string: header.value)
        }
        body.append("}")
        body.appendMember("key", path.span)
        if let bucket { body.appendMember("bucket", bucket) }
        if let region { body.appendMember("region", region) }
        body.append(#","expiresIn":"#)
        body.append(decimal: url.expiresIn)
        body.appendMember("expiresAt", url.expiresAt.rfc3339Text)
        if let limit = url.limitedBy { body.appendMember("limitedBy", limit.rawValue) }
        body.append("}")
    }

    /// About the bytes of a response with long-lived credentials.
    static let usualSize = 640
}

extension PresignSource {
    /// The response to a request that comes from here.
    func response(with presigned: PresignedObject) -> HTTPResponse {
        let response = PresignResponse(presigned)
        switch self {
        case .link: return response.redirect
        case .body(let request) where request.headers.prefersText: return response.text
        case .body, .item: return HTTPResponse(status: 200, fields: .json, body: response.json + [0x0A])
        }
    }
}

extension HTTPFields {
    package static let text = HTTPFields([("content-type", "text/plain; charset=utf-8")])
    static let json = HTTPFields([("content-type", "application/json")])
}

extension HTTPResponse {
    package static func text(_ text: String) -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: Array(text.utf8))
    }
}
