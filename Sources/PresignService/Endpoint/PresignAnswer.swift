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
        body.append(contentsOf: Name.url)
        // A URL holds nothing that a JSON string would have to escape.
        body.append(contentsOf: url.bytes)
        body.append(contentsOf: Name.method)
        body.append(contentsOf: url.method.utf8)
        body.append(contentsOf: Name.headers)
        for (index, header) in url.headers.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.appendJSON(string: header.name)
            body.append(UInt8(ascii: ":"))
            body.appendJSON(string: header.value)
        }
        body.append(contentsOf: Name.key)
        body.appendJSON(string: path)
        body.append(contentsOf: Name.bucket)
        body.appendJSON(string: bucket)
        body.append(contentsOf: Name.region)
        body.appendJSON(string: region)
        body.append(contentsOf: Name.expiresIn)
        body.appendJSON(Int64(url.expiresIn))
        body.append(contentsOf: Name.expiresAt)
        url.expiresAt.appendRFC3339(to: &body)
        body.append(UInt8(ascii: "\""))
        if let limit = url.limitedBy { body.appendMember("limitedBy", limit.rawValue.utf8) }
        body.append(contentsOf: Name.end)
        return body
    }

    /// What stands between the values, made once.
    private enum Name {
        static let url = Array(#"{"url":""#.utf8)
        static let method = Array(#"","method":""#.utf8)
        static let headers = Array(#"","headers":{"#.utf8)
        static let key = Array(#"},"key":"#.utf8)
        static let bucket = Array(#","bucket":"#.utf8)
        static let region = Array(#","region":"#.utf8)
        static let expiresIn = Array(#","expiresIn":"#.utf8)
        static let expiresAt = Array(#","expiresAt":""#.utf8)
        static let end = Array("}\n".utf8)
    }
}
