import Foundation

extension StorageCase {
    /// "Using cross-origin resource sharing (CORS)" in the S3 user guide, for a bucket with rules for one origin.
    static let crossOrigin: [StorageCase] = [
        .init(
            "A preflight from the origin succeeds",
            [
                (
                    preflight("{origin}", "PUT", "content-type"),
                    StorageResponse(
                        status: 200, headers: ["access-control-allow-origin": "{origin}"],
                        listed: ["access-control-allow-methods": "PUT", "access-control-allow-headers": "content-type"])
                )
            ]),
        .init(
            "A preflight from another origin is AccessForbidden",
            [
                (
                    preflight("https://evil.example", "PUT", "content-type"),
                    .error(403, "AccessForbidden", ["access-control-allow-origin": nil])
                )
            ]),
        .init(
            "A preflight for a method without a rule is AccessForbidden",
            [(preflight("{origin}", "PATCH", nil), .error(403, "AccessForbidden"))]),
        .init(
            "OPTIONS without preflight headers is BadRequest",
            [(.get().with { $0.sentMethod = "OPTIONS" }, .error(400, "BadRequest"))]),
        .init(
            "Uploads and downloads from the origin get CORS headers that expose ETag",
            [
                (
                    .put("x").with { $0.headers = ["Origin": "{origin}"] },
                    granted
                ),
                (
                    .get(["Origin": "{origin}"]),
                    granted
                ),
            ]),
        .init(
            "A listing for the origin has CORS headers",
            [
                (
                    .list().with { $0.headers = ["Origin": "{origin}"] },
                    StorageResponse(status: 200, headers: ["access-control-allow-origin": "{origin}"])
                )
            ]),
        .init(
            "Another origin, or none, gets the object without CORS headers",
            [
                (.put("x"), .ok("", ["access-control-allow-origin": nil])),
                (.get(["Origin": "https://evil.example"]), .ok("x", ["access-control-allow-origin": nil])),
            ]),
        .init(
            "An error for the origin has CORS headers, so that a page can read it",
            [
                (
                    .get(["Origin": "{origin}"]),
                    .error(404, "NoSuchKey", ["access-control-allow-origin": "{origin}"])
                ),
                (
                    .get(["Origin": "{origin}"]).with { $0.signing = ["secretAccessKey": "wrong"] },
                    .error(403, "SignatureDoesNotMatch", ["access-control-allow-origin": "{origin}"])
                ),
            ]),
    ]

    private static let granted = StorageResponse(
        status: 200, headers: ["access-control-allow-origin": "{origin}"],
        listed: ["access-control-expose-headers": "ETag"])

    private static func preflight(_ origin: String, _ method: String, _ headers: String?) -> StorageRequest {
        StorageRequest(method: "PUT").with {
            $0.sentMethod = "OPTIONS"
            $0.headers = ["Origin": origin, "Access-Control-Request-Method": method]
            $0.headers["Access-Control-Request-Headers"] = headers
        }
    }
}
