import HTTPServing
package import Presigning

/// What is said about a signed URL: the 200 of `POST /presign`, and the command's JSON.
package struct PresignAnswer {
    /// The signed URL.
    package let url: PresignedURL
    let path: [UInt8]
    let bucket: String
    let region: String

    /// - Parameters:
    ///   - path: the object's path as it was asked for, without the store's prefix.
    ///   - region: the region that signed.
    package init(url: PresignedURL, path: [UInt8], bucket: String, region: String) {
        self.url = url
        self.path = path
        self.bucket = bucket
        self.region = region
    }

    /// One JSON object, or the URL alone on a line for a caller that accepts only text.
    func response(asText: Bool) -> HTTPResponse {
        var response = HTTPResponse(status: 200, body: asText ? url.bytes + [0x0A] : json())
        response.add("content-type", asText ? "text/plain; charset=utf-8" : "application/json")
        return response
    }

    /// The way on to the URL, with the same method (RFC 9110 15.4.8).
    func redirect() -> HTTPResponse {
        var response = HTTPResponse(status: 307)
        response.add("location", url.bytes)
        response.add("referrer-policy", "no-referrer")
        return response
    }

    /// One JSON object and a line feed.
    package func json() -> [UInt8] {
        var body: [UInt8] = []
        body.reserveCapacity(url.bytes.count + 512)
        body.append(contentsOf: #"{"url":"#.utf8)
        body.appendJSON(string: url.bytes)
        body.appendMember("method", url.method.utf8)
        body.append(contentsOf: #","headers":{"#.utf8)
        for (index, header) in url.headers.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.appendJSON(string: header.name)
            body.append(UInt8(ascii: ":"))
            body.appendJSON(string: header.value)
        }
        body.append(UInt8(ascii: "}"))
        body.appendMember("key", path)
        body.appendMember("bucket", bucket.utf8)
        body.appendMember("region", region.utf8)
        body.append(contentsOf: #","expiresIn":"#.utf8)
        body.appendJSON(Int64(url.expiresIn))
        body.appendMember("expiresAt", url.expiresAt.rfc3339Text.utf8)
        if let limit = url.limitedBy { body.appendMember("limitedBy", limit.rawValue.utf8) }
        body.append(contentsOf: "}\n".utf8)
        return body
    }
}
