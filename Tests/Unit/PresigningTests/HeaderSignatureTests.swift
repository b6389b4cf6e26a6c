import Cryptography
import Testing

@testable import Presigning

/// The examples of the Amazon S3 API reference, "Signature Calculations for the Authorization Header".
@Suite("Requests that are signed in the Authorization header")
struct HeaderSignatureTests {
    struct Example: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var method = "GET"
        var target = "/"
        var host = "examplebucket.s3.amazonaws.com"
        /// The other signed headers, sorted by name.
        var headers: [(name: String, value: String)]
        var signedHeaders: String
        let signature: String
        var credential = "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"
        var time = SigningTime(secondsSince1970: 1_369_353_600)
        var authorization: String?

        var verification: PresignedURLVerification { verification(secret: HeaderSignatureTests.secret) }

        func verification(secret: String) -> PresignedURLVerification {
            do throws(PresignedURLParseFailure) {
                let received = try ReceivedSignature(headersOf: request)
                return PresignedURLVerifier().verify(received, at: time) { _ in SecretBytes(Array(secret.utf8)) }
            } catch {
                return error.verification
            }
        }

        var request: PresignedURLVerifier.Request {
            let header =
                "AWS4-HMAC-SHA256 Credential=\(credential),SignedHeaders=\(signedHeaders),"
                + "Signature=\(signature)"
            return PresignedURLVerifier.Request(
                method: method, host: host, target: Array(target.utf8),
                headers: headers + [("Authorization", authorization ?? header)])
        }
    }

    private static let secret = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"
    private static let date = (name: "x-amz-date", value: "20130524T000000Z")
    private static let empty = (
        name: "x-amz-content-sha256", value: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )

    private static let get = Example(
        testDescription: "GET Object", target: "/test.txt", headers: [("Range", "bytes=0-9"), empty, date],
        signedHeaders: "host;range;x-amz-content-sha256;x-amz-date",
        signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")

    static let examples = [
        get,
        Example(
            testDescription: "PUT Object", method: "PUT", target: "/test%24file.text",
            headers: [
                ("Date", "Fri, 24 May 2013 00:00:00 GMT"), date, ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
                ("x-amz-content-sha256", "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"),
            ],
            signedHeaders: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "GET Bucket Lifecycle", target: "/?lifecycle", headers: [empty, date],
            signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "List Objects", target: "/?max-keys=2&prefix=J", headers: [empty, date],
            signedHeaders: "host;x-amz-content-sha256;x-amz-date",
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test("The documented examples are valid, and nothing else with their signature", arguments: examples)
    func documented(_ example: Example) {
        #expect(example.verification == .valid)
        #expect(example.verification(secret: "other") == .tampered(.signature))
        var changes = [example, example, example]
        changes[0].method = "DELETE"
        changes[1].target += "x"
        changes[2].host = "other.s3.amazonaws.com"
        for index in example.headers.indices where example.headers[index].name != "x-amz-date" {
            var changed = example
            changed.headers[index].value = "x"
            changes.append(changed)
        }
        for changed in changes { #expect(changed.verification == .tampered(.signature)) }
        var added = example
        added.headers.append((name: "x-amz-meta-a", value: "1"))
        #expect(added.verification == .tampered(.unsignedHeader("x-amz-meta-a")))
    }

    @Test(
        "A clock that differs by more than 15 minutes is refused",
        arguments: [
            (-900, PresignedURLVerification.valid), (-901, .notYetValid), (900, .valid), (901, .expired),
        ])
    func clock(seconds: Int, verification: PresignedURLVerification) {
        var example = Self.get
        example.time = example.time.advanced(bySeconds: seconds)
        #expect(example.verification == verification)
    }

    static let authorizations: [(String, PresignedURLVerification)] = [
        ("AWS4-HMAC-SHA256", .missing(parameter: "Credential")),
        ("AWS4-HMAC-SHA256 Credential=a/20130524/us-east-1/s3/aws4_request", .missing(parameter: "SignedHeaders")),
        ("AWS4-HMAC-SHA256 Credential=a/b", .malformed(parameter: "Credential", reason: "")),
        (
            "AWS4-HMAC-SHA256 Credential=a/20130525/us-east-1/s3/aws4_request",
            .malformed(parameter: "Credential", reason: "")
        ),
        ("AWS4-HMAC-SHA256 Credential=a, Credential=a", .malformed(parameter: "Credential", reason: "")),
        (
            "AWS4-HMAC-SHA256 Credential=a/20130524/us-east-1/s3/aws4_request, SignedHeaders=b;a",
            .malformed(parameter: "SignedHeaders", reason: "")
        ),
        (
            "AWS4-HMAC-SHA256 Credential=a/20130524/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=x",
            .malformed(parameter: "Signature", reason: "")
        ),
        ("AWS4-ECDSA-P256-SHA256 Credential=a", .malformed(parameter: "authorization", reason: "")),
    ]

    @Test("A malformed header is named with its field", arguments: authorizations)
    func malformed(_ authorization: String, _ expected: PresignedURLVerification) {
        var example = Self.get
        example.authorization = authorization
        switch (example.verification, expected) {
        case (.malformed(let found, let reason), .malformed(let wanted, _)):
            #expect(found == wanted && !reason.isEmpty)
        case (let found, _): #expect(found == expected)
        }
    }

    @Test("Time and payload must be stated once", arguments: ["x-amz-date", "x-amz-content-sha256"])
    func missing(name: String) {
        var example = Self.get
        example.headers.removeAll { $0.name == name }
        #expect(example.verification == .missing(parameter: name))
        example.headers += Self.get.headers.filter { $0.name == name } + Self.get.headers.filter { $0.name == name }
        #expect(example.verification == .malformed(parameter: name, reason: "it is a duplicate"))
    }
}
