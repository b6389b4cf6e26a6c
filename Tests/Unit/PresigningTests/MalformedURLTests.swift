import Cryptography
import Presigning
import Testing

@Suite struct MalformedURLTests {
    private func verify(replacing text: String, with other: String) throws -> PresignedURLVerification {
        var received = try ReceivedVector(#require(Vector.all.first))
        try received.replace(text, with: other)
        return received.verify()
    }

    @Test(
        "Names the parameter that cannot be parsed",
        arguments: [
            ("AWS4-HMAC-SHA256", "AWS4-HMAC-SHA1", "X-Amz-Algorithm"),
            ("X-Amz-Date=2013", "X-Amz-Date=2O13", "X-Amz-Date"),
            ("X-Amz-Date=20130524", "X-Amz-Date=20130525", "X-Amz-Credential"),
            ("aws4_request", "aws5_request", "X-Amz-Credential"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=0", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=604801", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=-1", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=%2B864", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86400&X-Amz-Expires=9", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "X-Amz-Expires=86400&x-amz-expires=9", "X-Amz-Expires"),
            ("X-Amz-Expires=86400", "x-amz-expires=86400", "X-Amz-Expires"),
            ("SignedHeaders=host", "SignedHeaders=Host", "X-Amz-SignedHeaders"),
            ("SignedHeaders=host", "SignedHeaders=range", "X-Amz-SignedHeaders"),
            ("SignedHeaders=host", "SignedHeaders=range%3Bhost", "X-Amz-SignedHeaders"),
            ("SignedHeaders=host", "SignedHeaders=host%3Bhost", "X-Amz-SignedHeaders"),
            ("X-Amz-Signature=a", "X-Amz-Signature=A", "X-Amz-Signature"),
            ("&X-Amz-Signature=", "&X-Amz-Signature=0", "X-Amz-Signature"),
            ("&X-Amz-Date", "&X-Amz-Security-Token=a&X-Amz-Security-Token=b&X-Amz-Date", "X-Amz-Security-Token"),
            ("/test.txt", "/test%2txt", "path"),
            ("/test.txt", "*", "path"),
            ("&X-Amz-Expires", "&a=%&X-Amz-Expires", "a"),
        ])
    func malformed(text: String, other: String, parameter: String) throws {
        guard case .malformed(let named, let reason) = try verify(replacing: text, with: other) else {
            Issue.record("taken for well formed")
            return
        }
        #expect(named == parameter)
        #expect(!reason.isEmpty)
    }

    @Test(
        "Names the missing parameter",
        arguments: [
            "X-Amz-Algorithm", "X-Amz-Credential", "X-Amz-Date", "X-Amz-Expires", "X-Amz-SignedHeaders",
            "X-Amz-Signature",
        ])
    func missing(parameter: String) throws {
        #expect(try verify(replacing: parameter + "=", with: "X-Other=") == .missing(parameter: parameter))
    }

    @Test("A different escaping of path or parameters is the same request")
    func equivalentEscapes() throws {
        #expect(try verify(replacing: "/test.txt", with: "/%74est%2Etxt") == .valid)
        #expect(try verify(replacing: "%2F20130524", with: "%2f20130524") == .valid)
        #expect(try verify(replacing: "?X-Amz-Algorithm=", with: "?&X-Amz-Algorithm=") == .valid)
    }

    @Test func scopeAndKeyAreChecked() throws {
        let received = try ReceivedVector(#require(Vector.all.first))
        let request = PresignedURLVerifier.Request(method: "GET", host: received.host, target: received.target)
        let key = SecretBytes(Array(received.secret.utf8))
        let elsewhere = PresignedURLVerifier(region: "eu-west-1")
        #expect(elsewhere.verify(request, at: received.time) { _ in key } == .tampered(.scope))
        let otherService = PresignedURLVerifier(service: "sqs")
        #expect(otherService.verify(request, at: received.time) { _ in key } == .tampered(.scope))
        let here = PresignedURLVerifier(region: "us-east-1")
        let known = Array("AKIAIOSFODNN7EXAMPLE".utf8)
        #expect(here.verify(request, at: received.time) { $0 == known ? key : nil } == .valid)
        #expect(here.verify(request, at: received.time) { _ in nil } == .unknownAccessKey)
    }
}
