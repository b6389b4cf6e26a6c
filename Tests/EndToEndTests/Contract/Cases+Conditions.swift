import Foundation

extension StorageCase {
    private static let etag = "\"\(Sample.etag)\""
    private static let other = "\"00000000000000000000000000000000\""
    private static let longAgo = "Sat, 01 Jan 2000 00:00:00 GMT"

    /// Conditions of GetObject and HeadObject (S3 API reference; RFC 9110, section 13).
    static let conditions: [StorageCase] = [
        met("If-Match with the ETag", ["If-Match": etag]),
        met("If-Match with a list that has the ETag", ["If-Match": "\(other), \(etag)"]),
        met("If-Match with *", ["If-Match": "*"]),
        failed("If-Match with another ETag", ["If-Match": other]),
        met("If-None-Match with another ETag", ["If-None-Match": other]),
        unmodified("If-None-Match with the ETag", ["If-None-Match": etag]),
        unmodified("If-None-Match with a list that has the ETag", ["If-None-Match": "\(other), \(etag)"]),
        unmodified("If-None-Match with the ETag, weakly compared", ["If-None-Match": "W/\(etag)"]),
        unmodified("If-None-Match with *", ["If-None-Match": "*"]),
        met("If-Modified-Since with an earlier date", ["If-Modified-Since": longAgo]),
        unmodified("If-Modified-Since with the date", ["If-Modified-Since": "{modified}"]),
        met("If-Modified-Since without a valid date", ["If-Modified-Since": "yesterday"]),
        met("If-Unmodified-Since with the date", ["If-Unmodified-Since": "{modified}"]),
        failed("If-Unmodified-Since with an earlier date", ["If-Unmodified-Since": longAgo]),
        met("If-Unmodified-Since without a valid date", ["If-Unmodified-Since": "yesterday"]),
        // GetObject in the S3 API reference, "Additional considerations about request headers".
        met("If-Match takes precedence over If-Unmodified-Since", ["If-Match": etag, "If-Unmodified-Since": longAgo]),
        unmodified(
            "If-None-Match takes precedence over If-Modified-Since",
            ["If-None-Match": etag, "If-Modified-Since": longAgo]),
        met(
            "If-None-Match takes precedence over If-Modified-Since when it is met",
            ["If-None-Match": other, "If-Modified-Since": "{modified}"]),
        failed("A condition takes precedence over a range", ["If-Match": other, "Range": "bytes=0-3"]),
        .init(
            withObject: "A met condition keeps the range",
            [(.get(["If-Match": etag, "Range": "bytes=0-3"]), .part("0123", "bytes 0-3/10"))]),
        .init(
            withObject: "If-Range with the ETag keeps the range",
            [(.get(["If-Range": etag, "Range": "bytes=0-3"]), .part("0123", "bytes 0-3/10"))]),
        .init(
            withObject: "If-Range with another ETag returns the whole object",
            [(.get(["If-Range": other, "Range": "bytes=0-3"]), .ok("0123456789"))]),
    ]

    private static func met(_ name: String, _ headers: [String: String]) -> StorageCase {
        StorageCase(
            withObject: name + ": 200",
            [(.head(), .ok), (.get(headers), .ok("0123456789")), (.head(headers), .bare(200))])
    }

    private static func failed(_ name: String, _ headers: [String: String]) -> StorageCase {
        StorageCase(
            withObject: name + ": 412",
            [(.head(), .ok), (.get(headers), .error(412, "PreconditionFailed")), (.head(headers), .bare(412))])
    }

    private static func unmodified(_ name: String, _ headers: [String: String]) -> StorageCase {
        StorageCase(
            withObject: name + ": 304",
            [(.head(), .ok), (.get(headers), .bare(304, ["etag": etag])), (.head(headers), .bare(304))])
    }

    /// "Add preconditions to S3 operations with conditional requests" in the S3 user guide.
    static let writeConditions: [StorageCase] = [
        .init(
            "If-None-Match: * creates an object and never replaces one",
            [
                (.put("first", headers: ["if-none-match": "*"]), .ok),
                (.put("second", headers: ["if-none-match": "*"]), .error(412, "PreconditionFailed")),
                (.get(), .ok("first")), (.delete(), .bare(204)),
                (.put("third", headers: ["if-none-match": "*"]), .ok), (.get(), .ok("third")),
            ]),
        .init(
            withObject: "If-Match replaces only the version that it names",
            [
                (.put("new", headers: ["if-match": other]), .error(412, "PreconditionFailed")),
                (.get(), .ok("0123456789")), (.put("new", headers: ["if-match": etag]), .ok), (.get(), .ok("new")),
            ]),
        .init(
            "If-Match on a missing object is NoSuchKey",
            [
                (.put("new", headers: ["if-match": etag]), .error(404, "NoSuchKey")),
                (.get(), .error(404, "NoSuchKey")),
            ]),
    ]
}
