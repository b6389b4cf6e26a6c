import Foundation

extension StorageCase {
    private static let target = StorageRequest.put("x", headers: ["content-type": "image/png"])

    /// "Authenticating Requests: Using Query Parameters" and "Error responses" in the S3 API reference.
    static let signatures: [StorageCase] =
        [
            tampered("Another method", "SignatureDoesNotMatch") { $0.sentMethod = "DELETE" },
            tampered("Another key", "SignatureDoesNotMatch") { $0.changes = ["/object?": "/another?"] },
            tampered("Another expiry", "SignatureDoesNotMatch") { $0.changes = ["Expires=300": "Expires=3000"] },
            tampered("Another parameter", "SignatureDoesNotMatch") { $0.changes = ["&X-Amz-Sig": "&a=b&X-Amz-Sig"] },
            tampered("Another host", "SignatureDoesNotMatch") { $0.headers["Host"] = "127.0.0.2:{port}" },
            tampered("Another type", "SignatureDoesNotMatch") { $0.headers["content-type"] = "text/html" },
            tampered("No type", "SignatureDoesNotMatch") { $0.headers["content-type"] = "" },
            tampered("Another secret", "SignatureDoesNotMatch") { $0.signing = ["secretAccessKey": "wrong"] },
            tampered("No query", "AccessDenied") { $0.bare = true },
            tampered("Unsigned metadata", "AccessDenied") { $0.headers["x-amz-meta-owner"] = "mallory" },
            tampered("An unknown access key", "InvalidAccessKeyId") { $0.signing = ["accessKeyId": "AKIAUNKNOWN"] },
            tampered("An expired URL", "AccessDenied") { ($0.age, $0.expiresIn) = (120, 60) },
            tampered("A URL with a future date", "AccessDenied") { $0.age = -3600 },
        ] + [
            malformed("No expiry") { $0.changes = ["X-Amz-Expires=300&": ""] },
            malformed("No signature") { $0.changes = ["X-Amz-Signature=": "X-Not-Signature="] },
            malformed("Another algorithm") { $0.changes = ["AWS4-HMAC-SHA256": "AWS4-HMAC-SHA1"] },
            malformed("An expiry of more than seven days") { $0.changes = ["Expires=300": "Expires=604801"] },
            malformed("An expiry that is not a number") { $0.changes = ["Expires=300": "Expires=soon"] },
            malformed("A negative expiry") { $0.changes = ["Expires=300": "Expires=-1"] },
            malformed("An invalid date") { $0.changes = ["X-Amz-Date=2": "X-Amz-Date=x"] },
            malformed("A truncated scope") { $0.changes = ["%2Faws4_request": ""] },
            malformed("Another region") { $0.signing = ["region": "eu-west-1"] },
            .init(
                withObject: "A URL for GET does not allow HEAD, PUT or DELETE",
                [
                    (.get().with { $0.sentMethod = "HEAD" }, .bare(403)),
                    (
                        .get().with {
                            $0.sentMethod = "PUT"
                            $0.body = Data("x".utf8)
                        }, .error(403, "SignatureDoesNotMatch")
                    ),
                    (.get().with { $0.sentMethod = "DELETE" }, .error(403, "SignatureDoesNotMatch")),
                    (.get(), .ok("0123456789")),
                ]),
            .init(
                withObject: "A download may send a range and conditions unsigned, but no x-amz- header",
                [
                    (.get(["Range": "bytes=0-0", "X-Other": "1"]), .part("0", "bytes 0-0/10")),
                    (.get(["x-amz-checksum-mode": "ENABLED"]), .error(403, "AccessDenied")),
                ]),
            .init(
                withObject: "An unsigned response-* parameter is rejected",
                [
                    (
                        .get().with { $0.changes = ["&X-Amz-Sig": "&response-content-type=text%2Fhtml&X-Amz-Sig"] },
                        .error(403, "SignatureDoesNotMatch")
                    )
                ]),
        ]

    private static func tampered(
        _ name: String, _ code: String, _ change: (inout StorageRequest) -> Void
    ) -> StorageCase {
        refused(name + " is \(code)", target.with(change), .error(403, code))
    }

    private static func malformed(_ name: String, _ change: (inout StorageRequest) -> Void) -> StorageCase {
        refused(
            name + " is AuthorizationQueryParametersError", target.with(change),
            .error(400, "AuthorizationQueryParametersError"))
    }

    /// A rejected upload that stores nothing; the unchanged one succeeds.
    private static func refused(_ name: String, _ request: StorageRequest, _ response: StorageResponse) -> StorageCase {
        StorageCase(name, [(request, response), (.get(), .error(404, "NoSuchKey")), (target, .ok), (.get(), .ok("x"))])
    }
}
