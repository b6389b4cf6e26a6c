import Foundation

/// A limit of a rule and a way to write, with attempts to exceed the limit there.
struct EnforcementCase: Sendable {
    /// The column in the guide's table.
    enum Way: String, CaseIterable, Sendable {
        case put = "PUT"
        case create, part, complete
    }

    /// What refuses an attempt.
    enum Enforcer: String, Sendable {
        case presign, signature, storage
    }

    /// The key in the configuration, which is also the row in the guide's table.
    let limit: String
    let way: Way
    /// Fields with which presign issues no URL.
    var refused: [String: any Sendable]?
    /// Fields that meet the limit.
    var met: [String: any Sendable] = [:]
    /// What to change in a request with the issued URL so that the signature does not match.
    var tampering: Tampering?
    /// What to change in it so that the signature matches, but the storage refuses it.
    var violation: Tampering?
    /// The content that meets the limit.
    var content = "abc"

    /// A change in a request with a signed URL.
    enum Tampering: Sendable {
        /// Sends a header with another value; nil omits it.
        case header(String, String?)
        case content(String)
        /// Replaces a text in the URL.
        case url(String, String)
        /// Sends the same request after the object exists.
        case repetition
    }

    /// What must refuse the attempts, in the order of the guide's table.
    var enforcers: [Enforcer] {
        [refused.map { _ in .presign }, tampering.map { _ in .signature }, violation.map { _ in .storage }]
            .compactMap(\.self)
    }

    /// SHA-256 of `abc` (FIPS 180-2 appendix B.1) in Base64.
    private static let digest = Sample.abcSHA256

    /// The rules, one for each limit; the scenario's prefix is one segment.
    static let rules = [
        rule("types", "write: {types: [text/plain]}"),
        rule("maxSize", "write: {maxSize: 3}, multipart: {partSize: 5m}"),
        rule("partSize", "multipart: {partSize: 5m}"),
        rule("checksum", "write: {checksum: sha256}"), rule("overwrite", "write: {overwrite: false}"),
        rule("accept", "write: {accept: [tagging]}"), rule("set", "write: {set: {cacheControl: no-store}}"),
        rule("expires.max", "expires: {default: 1m, max: 5m}"),
    ]

    private static func rule(_ name: String, _ limit: String) -> String {
        "{path: \"*/\(name)/*\", allow: {authenticated: [get, write, multipart, delete]}, \(limit)}"
    }

    static let all = types + sizes + checksums + overwriting + settings + lifetimes

    private static let types = [Way.put, .create].map { way in
        EnforcementCase(
            limit: "types", way: way, refused: ["contentType": "image/png"], met: ["contentType": "text/plain"],
            tampering: .header("content-type", "image/png"))
    }

    private static let sizes =
        [("maxSize", Way.put, 4), ("maxSize", .part, 4), ("partSize", .part, (5 << 20) + 1)].map { limit, way, size in
            EnforcementCase(
                limit: limit, way: way, refused: ["contentLength": size], met: ["contentLength": 3],
                tampering: .content("abcd"))
        } + [
            EnforcementCase(
                limit: "maxSize", way: .complete, refused: ["contentLength": 4], met: ["contentLength": 3],
                tampering: .header("x-amz-mp-object-size", "4"))
        ]

    private static let checksums =
        [Way.put, .part].map { way in
            EnforcementCase(
                limit: "checksum", way: way, refused: [:], met: ["checksumSHA256": digest],
                tampering: .header("x-amz-checksum-sha256", nil), violation: .content("abd"))
        } + [
            EnforcementCase(
                limit: "checksum", way: .create, refused: ["checksumAlgorithm": "CRC32"],
                tampering: .header("x-amz-checksum-algorithm", nil))
        ]

    private static let overwriting = [Way.put, .complete].map { way in
        EnforcementCase(
            limit: "overwrite", way: way, tampering: .header("if-none-match", nil), violation: .repetition)
    }

    private static let settings = [Way.put, .create].flatMap { way in
        [
            EnforcementCase(
                limit: "accept", way: way, refused: ["storageClass": "GLACIER"],
                violation: .header("x-amz-storage-class", "GLACIER")),
            EnforcementCase(
                limit: "accept", way: way, refused: ["acl": "public-read"],
                violation: .header("x-amz-acl", "public-read")),
            EnforcementCase(
                limit: "set", way: way, refused: ["cacheControl": "public"],
                tampering: .header("cache-control", "public")),
        ]
    }

    private static let lifetimes = Way.allCases.map { way in
        EnforcementCase(
            limit: "expires.max", way: way, refused: ["expiresIn": 301], met: ["expiresIn": 300],
            tampering: .url("X-Amz-Expires=300", "X-Amz-Expires=301"))
    }
}
