import Bytes
import HTTPServing
package import Presigning

/// What is said about a signed URL: the 200 of `POST /presign`, and the command's JSON.
package struct PresignAnswer: ~Copyable {
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

    /// One JSON object.
    func response(_ jsonFields: HTTPFields) -> HTTPResponse {
        HTTPResponse(status: 200, fields: jsonFields, body: json())
    }

    /// The URL alone on a line, for a caller that accepts only text.
    func text() -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: url.bytes + [0x0A])
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
        append(to: &body, then: "\n")
        return body
    }

    /// Appends one JSON object and what is to stand behind it.
    func append(to body: inout [UInt8], then end: StaticString = "") {
        let texts = path.count + bucket.utf8.count + region.utf8.count + headersCount
        let room = url.bytes.count + OutputSpan<UInt8>.jsonRoom(texts) + Self.fixedRoom + 8 * url.headers.count
        body.append(addingCapacity: room) { body in
            body.append(#"{"url":""#)
            // A URL holds nothing that a JSON string would have to escape.
            body.append(url.bytes)
            body.append(#"","method":""#)
            body.append(url.method.utf8.span)
            body.append(#"","headers":{"#)
            for (index, header) in url.headers.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                body.append(json: header.name.utf8.span)
                body.append(UInt8(ascii: ":"))
                body.append(json: header.value.utf8.span)
            }
            body.append(#"},"key":"#)
            body.append(json: path.span)
            body.append(#","bucket":"#)
            body.append(json: bucket.utf8.span)
            body.append(#","region":"#)
            body.append(json: region.utf8.span)
            body.append(#","expiresIn":"#)
            body.append(decimal: url.expiresIn)
            body.append(#","expiresAt":""#)
            url.expiresAt.appendRFC3339(to: &body)
            body.append(UInt8(ascii: "\""))
            if let limit = url.limitedBy {
                body.append(#","limitedBy":"#)
                body.append(json: limit.rawValue.utf8.span)
            }
            body.append(UInt8(ascii: "}"))
            body.append(end)
        }
    }

    /// More than the names, the numbers, the method, the reason of the limit and the end take together.
    private static let fixedRoom = 256

    private var headersCount: Int {
        url.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    }
}
