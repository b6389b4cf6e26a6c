import TestSupport
import Testing

@testable import CallerAuthentication
@testable import Cryptography
@testable import DataFormats
@testable import Text

@Suite("Examples from the RFCs")
struct TokenVectorTests {
    @Test("The examples verify, and fail when a byte is changed")
    func vectors() throws {
        guard case .array(let cases) = try JSONValue(parsing: Repository.bytes(of: "Tests/Cases/token-vectors.json"))
        else {
            throw TokenFixture.Missing()
        }
        #expect(cases.count == 9)
        for item in cases {
            let text = try #require(item["token"]?.string)
            let json = try #require(item["key"])
            let token = try CompactToken(text.span)
            let header = try TokenHeader(token.header)
            let key =
                if let secret = json["k"]?.string {
                    try VerificationKey(secret: SecretBytes(Base64.decode(secret.span, .url) ?? []))
                } else {
                    try JSONWebKey(json).entry().key
                }
            let message = text.span.extracting(..<token.signedCount)
            let name = String(decoding: item["name"]?.string ?? [], as: UTF8.self)
            let isValid = key.verify(header.algorithm, signature: token.signature.span, message: message)
            #expect(isValid, "\(name)")
            var changed = token.signature
            changed[changed.count / 2] ^= 1
            let isForged = key.verify(header.algorithm, signature: changed.span, message: message)
            #expect(!isForged, "\(name)")
        }
    }

    @Test(
        "Only canonical base64url is decoded",
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("-_-_", [0xFB, 0xFF, 0xBF]), ("_w", [0xFF]),
            ("A", nil), ("AAAAA", nil), ("AB", nil), ("AAB", nil), ("_x", nil), ("AA==", nil), ("AAA=", nil),
            ("A+AA", nil), ("A/AA", nil), ("AA AA", nil), ("AAAA\n", nil), ("AA.A", nil),
            ("AA\u{0}A", nil), ("ÄA", nil),
        ] as [(String, [UInt8]?)])
    func base64(text: String, bytes: [UInt8]?) {
        let decoded = Base64.decode(text.utf8.span, .url)
        #expect(decoded == bytes)
    }
}
