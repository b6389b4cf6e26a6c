import DataFormats
package import HTTP1
package import Presigning
package import Telemetry
import Text

/// What is said about a signed URL.
///
/// It is not to be copied: the closure that writes it would copy it, and count what it holds.
package struct PresignAnswer: ~Copyable {
    /// The signed URL.
    package let url: PresignedURL

    /// The response for a signed URL.
    package init(url: consuming PresignedURL) { self.url = url }

    /// The URL alone on a line, for a caller that accepts only text.
    package func text() -> HTTPResponse {
        HTTPResponse(status: 200, fields: .text, body: url.bytes + [0x0A])
    }

    /// The way on to the URL, with the same method (RFC 9110 15.4.8).
    func redirect() -> HTTPResponse {
        var response = HTTPResponse(status: 307)
        response.add("location", url.bytes)
        response.add("referrer-policy", "no-referrer")
        return response
    }

    /// One JSON object, for the command.
    ///
    /// - Parameters:
    ///   - path: the object's path as it was asked for, without the store's prefix.
    ///   - options: where the bucket is.
    package func json(of path: [UInt8], in options: S3EndpointOptions?) -> [UInt8] {
        var (body, expiry): ([UInt8], TimeText) = ([], TimeText())
        let place = options.map { Store.place(bucket: $0.bucket, region: $0.region) } ?? []
        let room = OutputSpan<UInt8>.jsonRoom(path.count) + place.count
        append(to: &body, then: "", &expiry, room: room) { body in
            body.append(json: path.span)
            body.append(place)
        }
        return body
    }

    /// Appends the 200 of `POST /presign`, one JSON object, and what is to stand behind it.
    ///
    /// - Parameters:
    ///   - record: of the request that it answers.
    ///   - expiry: of the last answer.
    package func append(
        of record: borrowing RequestRecord, to body: inout [UInt8], then end: StaticString = "",
        _ expiry: inout TimeText
    ) {
        let room = OutputSpan<UInt8>.jsonRoom(record.key?.count ?? 0) + (record.store?.place.count ?? 0)
        append(to: &body, then: end, &expiry, room: room) { body in
            if let path = record.key { body.append(json: path.span) }
            if let store = record.store { body.append(store.place) }
        }
    }

    /// - Parameters:
    ///   - room: the most bytes that the key takes.
    ///   - writeKey: appends the key, and the members about its place.
    @inline(__always)
    private func append(
        to body: inout [UInt8], then end: StaticString, _ expiry: inout TimeText, room: Int,
        _ writeKey: (inout OutputSpan<UInt8>) -> Void
    ) {
        expiry.update(to: url.expiresAt)
        let texts = OutputSpan<UInt8>.jsonRoom(headersCount) + 8 * url.headers.count
        body.append(addingCapacity: url.bytes.count + texts + room + Self.fixedRoom) { body in
            body.append(#"{"url":""#)
            // A URL holds nothing that a JSON string would have to escape.
            body.append(url.bytes)
            body.append(#"","method":""#)
            body.append(url.methodName)
            body.append(#"","headers":{"#)
            for (index, header) in url.headers.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                body.append(json: header.name.utf8.span)
                body.append(UInt8(ascii: ":"))
                body.append(json: header.value.utf8.span)
            }
            body.append(#"},"key":"#)
            writeKey(&body)
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
