import Testing

@testable import LocalStorage

@Suite("Expected content")
struct ContentExpectationTests {
    /// Values of `x-amz-content-sha256` for the content 123456789. Signers of URLs omit the header.
    static let digests: [(String, String?)] = [
        ("UNSIGNED-PAYLOAD", nil), ("15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225", nil),
        (String(repeating: "0", count: 64), "XAmzContentSHA256Mismatch"),
        ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "NotImplemented"), ("abc", "InvalidArgument"),
        (String(repeating: "x", count: 64), "InvalidArgument"),
    ]

    @Test("The content must match the announced SHA-256", arguments: digests)
    func contentDigest(_ value: String, _ code: String?) throws {
        let request = try request(
            "PUT", "/local/key", [("Content-Length", "9"), ("x-amz-content-sha256", value)])
        var found: String?
        do throws(S3Error) {
            var digests = ContentDigests(try ContentExpectation(request))
            for piece in ["1234", "56789"] { digests.update(Array(piece.utf8).span) }
            #expect(try digests.verified().entityTag == Array("25f9e794323b453885f5181f1b624d0b".utf8))
        } catch {
            found = error.code
        }
        #expect(found == code)
    }

    @Test("Content shorter than announced is incomplete")
    func length() throws {
        let request = try request("PUT", "/local/key", [("Content-Length", "9")])
        var digests = ContentDigests(try ContentExpectation(request))
        digests.update([1].span)
        #expect { try digests.verified() } throws: { ($0 as? S3Error)?.code == "IncompleteBody" }
    }

    @Test(
        "Plain content may have the coding aws-chunked and its own length as the decoded one",
        arguments: [("9", nil), ("8", "InvalidRequest"), ("10", "InvalidRequest"), ("x", "InvalidRequest")])
    func plainChunked(_ decoded: String, _ code: String?) throws {
        let request = try request(
            "PUT", "/local/key",
            [
                ("Content-Length", "9"), ("Content-Encoding", "aws-chunked"),
                ("x-amz-decoded-content-length", decoded),
            ])
        var found: String?
        do throws(S3Error) {
            #expect(try ContentExpectation(request).length == 9)
        } catch {
            found = error.code
        }
        #expect(found == code)
    }

    @Test(
        "Invalid and too large lengths are rejected",
        arguments: ["", "-1", "1 2", "5368709121", "99999999999999999999"])
    func badLength(_ length: String) throws {
        let request = try request("PUT", "/local/key", [("Content-Length", length)])
        #expect(throws: S3Error.self) { try ContentExpectation(request) }
    }
}
