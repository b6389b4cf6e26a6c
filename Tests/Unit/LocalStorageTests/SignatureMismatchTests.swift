import Testing

@testable import HTTP1
@testable import LocalStorage
@testable import Presigning

/// Requests that differ from the signed one in one or two ways. The error must name the difference.
@Suite("Explanations of signatures that do not match")
struct SignatureMismatchTests {
    /// A signed request, changed before it is sent.
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let signed: AWSS3SigningOperation
        var key: StoragePath = "uploads/a b+c.txt"
        var signedHeaders: [String: String] = [:]
        var signedQuery: [String: String] = [:]
        /// The path of the endpoint that is signed.
        var path = ""
        /// The method; nil for the signed one.
        var method: String?
        var host = "127.0.0.1:8081"
        /// Replaced in the target.
        var old = ""
        var new = ""
        /// Added to the target.
        var added = ""
        /// The headers that are sent; nil for the signed ones.
        var headers: [String: String]?
        let explanation: String
    }

    private static let credentials = Result {
        try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "secret")
    }

    private static let inURLs = [
        Case(
            testDescription: "method", signed: .getObject, method: "PUT",
            explanation: "The URL was signed for GET, but the request uses PUT."),
        Case(
            testDescription: "HEAD with a URL for GET", signed: .getObject, method: "HEAD",
            explanation: "The URL was signed for GET, but the request uses HEAD."),
        Case(
            testDescription: "host", signed: .getObject, host: "localhost:8081",
            explanation: "The URL was signed for the host 127.0.0.1:8081, but the request names localhost:8081."),
        Case(
            testDescription: "forwarded port", signed: .getObject, host: "localhost:9000",
            explanation: "The URL was signed for the host 127.0.0.1:8081, but the request names localhost:9000."),
        Case(
            testDescription: "path encoded twice", signed: .getObject, old: "a%20b", new: "a%2520b",
            explanation: "The path was percent-encoded again after it was signed; send the URL unchanged."),
        Case(
            testDescription: "path signed with two encodings", signed: .getObject, key: "a%20b", old: "a%2520b",
            new: "a%20b",
            explanation: "The path was signed with a second percent-encoding, which S3 does not use; encode it once."),
        Case(
            testDescription: "space sent as +", signed: .getObject, key: "a b", old: "a%20b", new: "a+b",
            explanation: "A space of the path was sent as +; send %20."),
        Case(
            testDescription: "+ sent as a space", signed: .getObject, key: "a+b", old: "a%2Bb", new: "a%20b",
            explanation: "A + of the path was sent as a space; send %2B."),
        Case(
            testDescription: "slash added", signed: .getObject, key: "a", old: "/a?", new: "/a/?",
            explanation: "The path was signed without the slash at the end."),
        Case(
            testDescription: "path removed by a proxy", signed: .getObject, path: "/storage",
            explanation:
                "The path was signed with /storage before it, which a proxy removed; set `signedEndpoint` of the "
                + "store to the address that the storage sees."),
        Case(
            testDescription: "path and host changed by a proxy that reports them", signed: .putObject, path: "/my/own",
            host: "storage:9000",
            headers: ["x-forwarded-prefix": "/my/own", "x-forwarded-host": "127.0.0.1:8081"],
            explanation:
                "The path was signed with /my/own before it, which a proxy removed; set `signedEndpoint` of the "
                + "store to the address that the storage sees."),
        Case(
            testDescription: "parameter added", signed: .getObject, added: "&response-content-type=text%2Fhtml",
            explanation: "The parameter response-content-type was not signed; remove it."),
        Case(
            testDescription: "parameters added", signed: .getObject, added: "&utm_source=a&fbclid=b",
            explanation: "The parameters utm_source, fbclid were not signed; remove them."),
        Case(
            testDescription: "parameter removed", signed: .createMultipartUpload, old: "&uploads=", new: "",
            explanation: "The parameter uploads= was signed, but the request does not have it."),
        Case(
            testDescription: "query re-encoded", signed: .getObject,
            signedQuery: ["response-content-disposition": "attachment; filename=a.txt"], old: "%20filename",
            new: "+filename", explanation: "A space of the query was sent as +; send %20."),
        Case(
            testDescription: "lifetime", signed: .getObject, old: "Expires=600", new: "Expires=604800",
            explanation: "X-Amz-Expires was signed as 600, but is 604800."),
        Case(
            testDescription: "signature cut off", signed: .getObject, old: "&X-Amz-Signature=",
            new: "&X-Amz-Signature=g",
            explanation: "X-Amz-Signature: it is not 64 lower-case hexadecimal digits."),
    ]

    /// As long as a session token.
    private static let longQuery = ["token": String(repeating: "t", count: 2900)]

    private static let inHeaders = [
        Case(
            testDescription: "content type with a charset", signed: .putObject,
            signedHeaders: ["content-type": "text/plain"],
            headers: ["content-type": "text/plain; charset=utf-8"],
            explanation: "The header content-type was signed as text/plain, but is text/plain; charset=utf-8."),
        Case(
            testDescription: "content type of curl --data-binary", signed: .putObject,
            signedHeaders: ["content-type": "image/png"],
            headers: ["content-type": "application/x-www-form-urlencoded"],
            explanation: "The header content-type was signed as image/png, but is application/x-www-form-urlencoded."),
        Case(
            testDescription: "method and content type of curl --data-binary", signed: .putObject,
            signedHeaders: ["content-type": "image/png"], method: "POST",
            headers: ["content-type": "application/x-www-form-urlencoded"],
            explanation: "The URL was signed for PUT, but the request uses POST. The header content-type was signed as "
                + "image/png, but is application/x-www-form-urlencoded."),
        Case(
            testDescription: "content type with a URL of 3.2 KB, behind a proxy", signed: .putObject,
            signedHeaders: ["content-type": "video/mp4"], signedQuery: longQuery,
            headers: ["content-type": "application/x-www-form-urlencoded", "x-forwarded-host": "files.example"],
            explanation: "The header content-type was signed as video/mp4, but is application/x-www-form-urlencoded."),
        Case(
            testDescription: "path of 3.2 KB that a proxy reports", signed: .putObject,
            signedHeaders: ["content-type": "image/png"], signedQuery: longQuery, path: "/my/own",
            headers: ["content-type": "image/png", "x-forwarded-prefix": "/my/own"],
            explanation:
                "The path was signed with /my/own before it, which a proxy removed; set `signedEndpoint` of the "
                + "store to the address that the storage sees."),
        Case(
            testDescription: "line feed added to the file", signed: .putObject, signedHeaders: ["content-length": "5"],
            headers: ["content-length": "6"], explanation: "The header content-length was signed as 5, but is 6."),
        Case(
            testDescription: "missing header", signed: .putObject, signedHeaders: ["if-none-match": "*"], headers: [:],
            explanation:
                "The header if-none-match was signed, but the request does not have it. Send it as in `headers` "
                + "of the response of presign."),
        Case(
            testDescription: "file of another size", signed: .putObject, signedHeaders: ["content-length": "5"],
            headers: ["content-length": "50"],
            explanation: "No common mistake explains the difference. Compare with what was signed: the method PUT, the "
                + "host 127.0.0.1:8081, the URL, the headers content-length: 50, the secret access key."),
    ]

    @Test("The error names what differs from the signed request", arguments: inURLs + inHeaders)
    func difference(_ example: Case) throws {
        let error = try #require(try refusal(of: example))
        #expect(error.status == 403 && error.code == "SignatureDoesNotMatch")
        let start = "The request signature we calculated does not match the signature you provided. Check your key and "
        #expect(error.message == start + "signing method. " + example.explanation)
    }

    @Test("A wrong secret is not explained by anything else")
    func secret() throws {
        let other = try Credentials(accessKeyID: "AKIDEXAMPLE", secretAccessKey: "other")
        let example = Case(testDescription: "", signed: .getObject, explanation: "")
        let error = try #require(try refusal(of: example, signedWith: other))
        #expect(error.message.hasSuffix("the host 127.0.0.1:8081, the URL, the secret access key."))
    }

    @Test("The search is short: an unexplained request with many parameters and headers costs few milliseconds")
    func bound() throws {
        var verified = 0
        let query = (0..<200).map { "&parameter\($0)=\($0)" }.joined()
        let request = PresignedURLVerifier.Request(
            method: "PUT", host: "127.0.0.1:8081", target: Array("/local/a?X-Amz-Expires=1\(query)".utf8),
            headers: [("content-type", "a/b"), ("content-length", "1")])
        let mismatch = SignatureMismatch(
            request: request, signedHeaders: ["content-length", "content-type", "host"].map { Array($0.utf8) }
        ) { _ in
            verified += 1
            return false
        }
        #expect(mismatch.variation == nil)
        #expect(50...250 ~= verified)
        verified = 0
        let long = SignatureMismatch(
            request: request.with(target: Array("/local/\(String(repeating: "a", count: 4096))".utf8)),
            signedHeaders: []
        ) { _ in
            verified += 1
            return false
        }
        #expect(long.variation == nil && verified == 0)
    }

    /// The variations of a request that a search verifies, and their size.
    private static func search(headers: [(name: String, value: String)], query: String) -> (count: Int, bytes: Int) {
        var (count, bytes) = (0, 0)
        let request = PresignedURLVerifier.Request(
            method: "PUT", host: "127.0.0.1:8081", target: Array("/local/a?X-Amz-Expires=1\(query)".utf8),
            headers: headers)
        let names = (["host"] + headers.map(\.name)).map { Array($0.utf8) }
        let mismatch = SignatureMismatch(request: request, signedHeaders: names) { variation in
            count += 1
            bytes += variation.target.count + variation.headers.map { $0.name.count + $0.value.count }.reduce(0, +)
            return false
        }
        _ = mismatch.variation
        return (count, bytes)
    }

    @Test("The size of a search is bounded, headers included; that of an ordinary request is complete")
    func size() throws {
        let type = (name: "content-type", value: "a/b")
        let metadata = { (count: Int, size: Int) in
            (0..<count).map { (name: "x-amz-meta-\($0)", value: String(repeating: "v", count: size)) }
        }
        let query = (0..<8).map { "&parameter\($0)=\($0)" }.joined()
        let complete = Self.search(headers: [type], query: query)
        #expect(complete.count > 120)
        #expect(Self.search(headers: [type] + metadata(6, 150), query: query).count == complete.count)
        for (headers, query) in [
            (metadata(80, 350), query), (metadata(60, 350), "&a=" + String(repeating: "b", count: 4000)),
            (metadata(1, 30_000), ""), ([], query + "&a=" + String(repeating: "b", count: 3900)),
        ] {
            let found = Self.search(headers: [type] + headers, query: query)
            #expect(found.bytes <= SignatureMismatch.maximumBytes && found.count >= 8, "\(found)")
        }
    }

    private static let time = SigningTime(secondsSince1970: 1_700_000_000)

    /// Signs the request, sends the changed one to the check, and returns its error.
    private func refusal(of example: Case, signedWith signer: Credentials? = nil) throws -> S3Error? {
        let credentials = try Self.credentials.get()
        let bucket = try S3Bucket(
            S3EndpointOptions(
                bucket: "local", region: "us-east-1", endpoint: "http://127.0.0.1:8081\(example.path)"))
        var presigner = Presigner()
        let url = try AWSS3StorageGetURLTask(
            example.signed, key: example.key, in: bucket, expiresIn: 600,
            headers: example.signedHeaders.map { ($0.key, $0.value) },
            query: example.signedQuery.map { ($0.key, $0.value) }
        ).url(with: signer ?? credentials, at: Self.time, using: &presigner)
        var target = String(url.text.dropFirst("http://127.0.0.1:8081\(example.path)".count))
        if !example.old.isEmpty {
            try #require(target.contains(example.old), "\(target)")
            target = target.replacing(example.old, with: example.new)
        }
        let parts = (target + example.added).split(separator: "?", maxSplits: 1).map(String.init)
        let headers = (example.headers ?? example.signedHeaders).map { (name: $0.key, value: $0.value) }
        let received = try request(
            example.method ?? url.method, parts[0], query: parts[1], headers + [(name: "host", value: example.host)])
        let authenticator = Authenticator(credentials: credentials, buckets: [("local", "us-east-1")])
        do throws(S3Error) {
            try authenticator.check(received, at: Self.time)
            return nil
        } catch {
            return error
        }
    }
}
