import Bytes
import HTTPServing
package import Presigning

/// What is said about a signed URL: the 200 of `POST /presign`, and the command's JSON.
package struct PresignAnswer: ~Copyable {
    /// The signed URL.
    package let url: PresignedURL
    private let path: [UInt8]
    private let place: AnswerPlace

    /// - Parameters:
    ///   - path: the object's path as it was asked for, without the store's prefix.
    ///   - region: the region that signed.
    package init(url: PresignedURL, path: [UInt8], bucket: String, region: String) {
        self.init(url: url, path: path, place: AnswerPlace(bucket: bucket, region: region))
    }

    init(url: PresignedURL, path: [UInt8], place: AnswerPlace) {
        self.url = url
        self.path = path
        self.place = place
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
        var (body, expiry): ([UInt8], TimeText) = ([], TimeText())
        append(to: &body, then: "\n", &expiry)
        return body
    }

    /// Appends one JSON object and what is to stand behind it.
    ///
    /// - Parameter expiry: of the last answer.
    func append(to body: inout [UInt8], then end: StaticString = "", _ expiry: inout TimeText) {
        expiry.update(to: url.expiresAt)
        let room =
            url.bytes.count + OutputSpan<UInt8>.jsonRoom(path.count + headersCount) + place.members.count
            + Self.fixedRoom + 8 * url.headers.count
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
            body.append(place.members)
            body.append(#","expiresIn":"#)
            body.append(decimal: url.expiresIn)
            body.append(#","expiresAt":""#)
            body.append(expiry.characters.span)
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

/// Where the objects of a store are, as its answers have it.
final class AnswerPlace: Sendable {
    /// Two members of a JSON object, with a comma before each.
    let members: [UInt8]

    init(bucket: String, region: String) {
        var members: [UInt8] = []
        members.appendMember("bucket", bucket)
        members.appendMember("region", region)
        self.members = members
    }
}
