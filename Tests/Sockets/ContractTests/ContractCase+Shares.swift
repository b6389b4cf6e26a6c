import Requests
import Testing

@testable import AccessRules
@testable import PresignService
@testable import Presigning
@testable import Telemetry

extension ContractCase {
    static let shares = shareUses + shareRefusals + shareServerRefusals + sharesElsewhere

    /// A token that the service's key has sealed.
    private static func token(
        _ path: String = "uploads/web/a", in store: String = "media", isUpload: Bool = false, hasEnded: Bool = false
    ) -> String {
        let start = SigningTime.now().advanced(bySeconds: -60)
        var share = Share(
            of: Array(path.utf8), in: store, by: Caller(apiKeyID: "web", identity: nil), from: start,
            until: start.advanced(bySeconds: hasEnded ? 1 : 3600))
        share.isUpload = isUpload
        let key = ShareKey(id: "k", Array(LiveService.shareKey.utf8))
        return (try? key.flatMap { try ShareToken(sealing: share, with: $0) })?.text ?? ""
    }

    private static let download = token()
    private static let upload = token(isUpload: true)

    private static let shareUses = [
        share(307, nil, "download", "GET", download), share(307, nil, "metadata", "HEAD", download),
        share(307, nil, "upload", "PUT", upload, ["Content-Length: 0"]),
        share(204, nil, "preflight", "OPTIONS", download, preflight),
    ]

    private static let shareRefusals =
        ["GET", "HEAD", "PUT"].flatMap { method in
            let isUpload = method == "PUT"
            let code = { (code: String) in method == "HEAD" ? nil : code }
            return [
                share(404, code("share-invalid"), "forged", method, "x"),
                share(405, code("method-not-allowed"), "another method", method, isUpload ? download : upload),
                share(410, code("share-ended"), "expired", method, token(isUpload: isUpload, hasEnded: true)),
                share(410, code("share-ended"), "another's path", method, token("uploads/bob/a", isUpload: isUpload)),
                share(
                    503, code("credentials-unavailable"), "no credentials", method,
                    token(in: "idle", isUpload: isUpload)),
            ]
        } + [
            share(400, "validation", "an entity tag", "PUT", upload, ["If-None-Match: \"a\""]),
            share(422, "constraint", "no type", "PUT", token("limited/a", isUpload: true)),
            share(411, "length-required", "chunks", "PUT", upload, ["Transfer-Encoding: chunked"]),
            share(413, "constraint", "a large file", "PUT", token("limited/a", isUpload: true), [large]),
        ]

    private static let large = "Content-Length: 105000000"

    private static let shareServerRefusals = ["GET", "HEAD", "PUT"].flatMap { method in
        let line = "\(method) /s/\(method == "PUT" ? upload : download)"
        let long = (413, "body-too-large", "long body", message(line, ["Content-Length: 2000000"]))
        return [
            (408, "timeout", "half a head", line + " HTTP/1.1\r\nHost: localhost\r\n"),
            (414, "target-too-long", "long target", message("\(method) /s/" + Self.long(9000), [])),
            (417, "expectation-failed", "hope", message(line, ["Expect: the-best"])),
            (431, "headers-too-large", "long header", message(line, ["A: " + Self.long(17_000)])),
            (501, "not-implemented", "gzip coding", message(line, ["Transfer-Encoding: gzip"])),
            (505, "http-version", "HTTP/3.7", line + " HTTP/3.7\r\nHost: localhost\r\n\r\n"),
        ].map { status, code, name, request in
            share(status, method == "HEAD" ? nil : code, name, method, request: request)
        } + (method == "PUT" ? [] : [share(413, method == "HEAD" ? nil : long.1, long.2, method, request: long.3)])
    }

    /// Requests to services with other settings.
    private static let sharesElsewhere = ["GET", "HEAD", "PUT"].flatMap { method in
        let token = method == "PUT" ? upload : download
        var (repeated, local) = (
            share(429, method == "HEAD" ? nil : "rate-limited", "twice", method, token, ["Content-Length: 0"]),
            share(421, method == "HEAD" ? nil : "misdirected-request", "another host", method, token)
        )
        repeated.isRepeated = true
        local.isLocal = true
        local.request.replace("Host: localhost", with: "Host: dev.example:8080")
        return [repeated, local]
    }

    private static func share(
        _ status: Int, _ code: String?, _ name: String, _ method: String, request: String
    ) -> ContractCase {
        ContractCase(
            name: name, operation: .init(path: "/s/{token}", method: method.lowercased()), status: status, code: code,
            request: request)
    }

    private static func share(
        _ status: Int, _ code: String?, _ name: String, _ method: String, _ token: String, _ headers: [String] = []
    ) -> ContractCase {
        share(status, code, name, method, request: message("\(method) /s/\(token)", headers))
    }
}
