import TestSupport
import Testing

@testable import CallerAuthentication

@Suite("Key files of issuers")
struct IssuerKeyTests {
    private typealias Fixture = TokenFixture
    private static let jwks = "- {name: idp, issuer: i, audience: a, algorithms: [RS256, ES256, EdDSA], jwks: f}"

    private static func keys(_ content: String, _ issuer: String = jwks) throws -> IssuerKeys {
        try Fixture.keys(issuer, ["f": content])
    }

    private static func failure(_ content: String, _ issuer: String = jwks) -> KeyFailure? {
        do {
            _ = try keys(content, issuer)
            return nil
        } catch {
            return error as? KeyFailure
        }
    }

    static let unusableKeys: [(String, String)] = [
        (Fixture.rsa.jwk(#","kid":"x","use":"enc""#), "not for verifying"),
        (Fixture.rsa.jwk(#","kid":"x","use":1"#), "use is not a string"),
        (Fixture.rsa.jwk(#","kid":"x","key_ops":["encrypt"]"#), "not for verifying"),
        (Fixture.rsa.jwk(#","kid":"x","key_ops":"verify""#), "not for verifying"),
        (Fixture.rsa.jwk(#","kid":"x","alg":"RSA-OAEP""#), "alg is not a supported"),
        (Fixture.rsa.jwk(#","kid":"x","alg":"none""#), "alg is not a supported"),
        (Fixture.rsa.jwk(#","kid":"x","alg":"RS512""#), "none of the configured"),
        (Fixture.rsa.jwk(#","kid":"x","alg":"ES256""#), "does not match its key type"),
        (Fixture.rsa.jwk(#","kid":"x","alg":"HS256""#), "does not match its key type"),
        (Fixture.p384.jwk(#","kid":"x""#), "none of the configured"),
        (Fixture.rsa.jwk(#","kid":7"#), "kid is not a string"),
        (Fixture.p256.jwk(#","kid":"good""#), "same kid"),
        (#"{"kty":"oct","kid":"x","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#, "shared secret"),
        (#"{"kty":"EC","crv":"secp256k1","kid":"x","x":"AA","y":"AA"}"#, "kty and crv"),
        (#"{"kty":"OKP","crv":"X25519","kid":"x","x":"AA"}"#, "kty and crv"), (#"{"kid":"x"}"#, "kty and crv"),
        (#"{"kty":"rsa","kid":"x"}"#, "kty and crv"), (#"{"kty":"RSA","kid":"x","e":"AQAB"}"#, "canonical base64url"),
        (#"{"kty":"RSA","kid":"x","n":"AQAB==","e":"AQAB"}"#, "canonical base64url"),
        (#"{"kty":"RSA","kid":"x","n":5,"e":"AQAB"}"#, "canonical base64url"),
        (#"{"kty":"EC","crv":"P-256","kid":"x","x":"AA","y":"AA"}"#, "length"),
        (#"{"kty":"OKP","crv":"Ed25519","kid":"x","x":"AA"}"#, "32 bytes"),
        (#"{"kty":"EC","crv":"P-256","kid":"x","x":"\#(zeros)","y":"\#(zeros)"}"#, "read"),
        (#"{"kty":"OKP","crv":"Ed25519","kid":"x","x":"\#(zeros)"}"#, "order"),
        (SigningKey(.rsa(bits: 1024)).jwk(#","kid":"x""#), "2048"),
        (Fixture.rsa.jwk(#","kid":"x""#).replacing("AQAB", with: "AQ"), "exponent"),
        ("5", "not a JSON object"), ("null", "not a JSON object"),
    ]
    private static let zeros = base64URL([UInt8](repeating: 0, count: 32))

    @Test(
        "An unusable key is skipped with a warning that names it; as the only key it is an error",
        arguments: unusableKeys)
    func unusable(jwk: String, reason: String) throws {
        let keys = try Self.keys(Fixture.set([Fixture.p256.jwk(#","kid":"good""#), jwk]))
        #expect(keys.keyIDs == [Array("good".utf8)] && keys.warnings.count == 1)
        let warning = try #require(keys.warnings.first)
        #expect(warning.hasPrefix("auth.jwt idp: f: the key ") && warning.contains(reason), "\(warning)")
        guard !reason.contains("same kid") else { return }
        let failure = try #require(Self.failure(Fixture.set([jwk])))
        #expect(failure.setting == "auth.jwt idp" && failure.file == "f" && failure.reason.contains(reason))
    }

    static let brokenFiles: [(String, String)] = [
        ("", "valid JSON"), ("{}", "the list `keys` is missing"), ("[]", "the list `keys` is missing"),
        (#"{"keys":{}}"#, "the list `keys` is missing"),
        (#"{"keys":[]}"#, "no usable key"), (#"{"keys":[],"keys":[]}"#, "valid JSON"),
        (Fixture.rsa.jwk(), "the list `keys` is missing"), (Fixture.set([Fixture.rsa.jwk()]) + "x", "valid JSON"),
        (Fixture.set([Fixture.rsa.jwk(#","kid":"a","d":"AQAB""#), Fixture.p256.jwk(#","kid":"b""#)]), "private key"),
        (Fixture.set([Fixture.p256.jwk(#","kid":"a","d":"AQAB""#)]), "private key"),
        (Fixture.set([Fixture.edwards.jwk(#","kid":"a","d":"AQAB""#)]), "private key"),
        (String(repeating: " ", count: (1 << 20) + 1), "1 MiB"),
    ]

    @Test("Unusable files are rejected as a whole", arguments: brokenFiles)
    func broken(content: String, reason: String) throws {
        let failure = try #require(Self.failure(content))
        #expect(failure.reason.contains(reason), "\(failure)")
        #expect(failure.description.hasPrefix("auth.jwt idp: f: "))
    }

    @Test("An unreadable file is reported with the reason")
    func unreadable() throws {
        let failure = #expect(throws: KeyFailure.self) { try Fixture.keys(Self.jwks, [:]) }
        #expect(failure?.reason == "\(Fixture.Missing())")
    }

    @Test("A key without kid is used if it is the only one; next to other keys it causes a warning")
    func nameless() throws {
        #expect(try Self.keys(Fixture.set([Fixture.rsa.jwk()])).warnings.isEmpty)
        let keys = try Self.keys(Fixture.set([Fixture.rsa.jwk(), Fixture.p256.jwk(#","kid":"b""#)]))
        #expect(keys.warnings.count == 1 && keys.warnings[0].contains("without kid"))
        let verifier = try Fixture.verifier()
        // A token's kid cannot match a key without one.
        let token = Fixture.token(header: #"{"alg":"RS256","kid":"x"}"#, iss: "single")
        #expect(verifier.refusal(token) == .unknownKey)
        // PEM keys have no kid to compare.
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256","kid":"x"}"#, iss: "pem")) == nil)
    }

    @Test(
        "Of several keys with one kid, the one that fits the token's alg verifies it",
        arguments: [
            (["RS512", "RS384", "RS256"], "RS256", nil), (["RS512", "RS384", "RS256"], "RS384", nil),
            (["RS512", "RS384", "RS256"], "RS512", nil), (["RS512", "RS384", "RS256"], "ES256", .algorithmNotOfKey),
            (["RS512", "ES256"], "ES256", nil), (["ES256", "RS256"], "RS256", nil),
            (["ES256", "RS256"], "RS384", .algorithmNotOfKey), (["ES256", nil], "RS384", nil),
            (["RS256", nil], "RS256", nil), (["RS256", nil], "RS512", nil), ([nil, "RS256"], "RS256", nil),
        ] as [([String?], String, TokenRefusal?)])
    func sharedKeyID(algorithms: [String?], algorithm: String, refusal: TokenRefusal?) throws {
        let issuer = "- {name: i, issuer: i, audience: api, algorithms: [RS256, RS384, RS512, ES256], jwks: f}"
        let jwks = algorithms.map { name in
            let key = name == "ES256" ? Fixture.p256 : Fixture.rsa
            return key.jwk(#","kid":"one""# + (name.map { #","alg":"\#($0)""# } ?? ""))
        }
        let verifier = try Fixture.verifier(issuer, files: ["f": Fixture.set(jwks)])
        let token = Fixture.token(
            algorithm, header: #"{"alg":"\#(algorithm)","kid":"one"}"#, iss: "i",
            by: .key(algorithm == "ES256" ? Fixture.p256 : Fixture.rsa))
        #expect(verifier.refusal(token) == refusal)
    }

    @Test(
        "A token without kid is verified if all keys share one kid, with the key that fits its alg",
        arguments: [
            ([("RS256", "a"), ("RS384", "a")], "RS256", nil), ([("RS256", "a"), ("RS384", "a")], "RS384", nil),
            ([("RS256", "a"), ("RS384", "a")], "RS512", .algorithmNotOfKey),
            ([("RS384", "a"), (nil, "a")], "RS384", nil), ([("RS384", "a"), (nil, "a")], "RS256", nil),
            ([(nil, "a")], "RS256", nil), ([(nil, nil)], "RS256", nil),
            ([("RS256", "a"), ("RS384", "b")], "RS256", .keyIDMissing),
            ([("RS256", "a"), ("RS384", nil)], "RS256", .keyIDMissing),
            ([("RS256", nil), ("RS384", "a")], "RS256", .keyIDMissing),
            ([("RS256", nil), ("RS384", nil)], "RS256", .keyIDMissing),
        ] as [([(String?, String?)], String, TokenRefusal?)])
    func oneKeyID(keys: [(algorithm: String?, id: String?)], algorithm: String, refusal: TokenRefusal?) throws {
        let issuer = "- {name: i, issuer: i, audience: api, algorithms: [RS256, RS384, RS512], jwks: f}"
        let jwks = keys.map { key in
            let id = key.id.map { #","kid":"\#($0)""# } ?? ""
            return Fixture.rsa.jwk(id + (key.algorithm.map { #","alg":"\#($0)""# } ?? ""))
        }
        let verifier = try Fixture.verifier(issuer, files: ["f": Fixture.set(jwks)])
        let token = Fixture.token(algorithm, header: #"{"alg":"\#(algorithm)"}"#, iss: "i", by: .key(Fixture.rsa))
        #expect(verifier.refusal(token) == refusal)
    }

    @Test("A second key that fits the same tokens causes a warning, and is not tried")
    func secondFit() throws {
        let issuer = "- {name: idp, issuer: i, audience: api, algorithms: [RS256, RS384], jwks: f}"
        let other = SigningKey(.rsa(bits: 2048))
        let jwks = Fixture.set([other.jwk(#","kid":"one","alg":"RS256""#), Fixture.rsa.jwk(#","kid":"one""#)])
        let keys = try Self.keys(jwks, issuer)
        #expect(keys.keyIDs == [Array("one".utf8)] && keys.warnings.count == 1)
        #expect(keys.warnings.first?.contains(#""one" is not used for RS256: an earlier key"#) == true)
        let verifier = try Fixture.verifier(issuer, files: ["f": jwks])
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256","kid":"one"}"#, iss: "i")) == .wrongSignature)
        let token = Fixture.token("RS384", header: #"{"alg":"RS384","kid":"one"}"#, iss: "i")
        #expect(verifier.refusal(token) == nil)
    }

    @Test("A warning shows no control characters of a kid")
    func shownNames() throws {
        let evil = Fixture.rsa.jwk(#","use":"enc","kid":"\u001b[2J\n\u00e9\#(String(repeating: "k", count: 100))""#)
        let warning = try #require(try Self.keys(Fixture.set([Fixture.p256.jwk(), evil])).warnings.first)
        #expect(warning.utf8.allSatisfy { 0x20...0x7E ~= $0 } && warning.utf8.count < 200)
    }

    @Test("Reads Firebase's map of names to certificates")
    func certificates() throws {
        let issuer = "- {name: idp, issuer: i, audience: api, algorithms: [RS256], certificates: f}"
        func member(_ name: String, _ text: String) -> String {
            #""\#(name)":"\#(text.replacing("\n", with: "\\n"))""#
        }
        let good = member("k1", pem("CERTIFICATE", Fixture.rsa.certificateDER))
        let bad = member("k2", "none"), second = member("k3", pem("CERTIFICATE", Fixture.p256.certificateDER))
        let keys = try Self.keys("{\(good),\(bad),\(second)}", issuer)
        #expect(keys.keyIDs == [Array("k1".utf8)] && keys.warnings.count == 2)
        let verifier = try Fixture.verifier(issuer, files: ["f": "{\(good)}"])
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256","kid":"k1"}"#, iss: "i")) == nil)
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256","kid":"k2"}"#, iss: "i")) == .unknownKey)
        #expect(Self.failure("[]", issuer)?.reason.contains("JSON object") == true)
        #expect(Self.failure("{\(bad)}", issuer)?.reason.contains("no usable key") == true)
    }

    @Test("PEM files hold a limited number of keys of the configured algorithms")
    func pemFiles() throws {
        let issuer = "- {name: idp, issuer: i, audience: api, algorithms: [RS256], pem: f}"
        let key = pem("PUBLIC KEY", Fixture.rsa.publicDER)
        #expect(try Self.keys(key, issuer).keyIDs.isEmpty)
        #expect(Self.failure(pem("PUBLIC KEY", Fixture.p256.publicDER), issuer)?.reason.contains("P-256") == true)
        #expect(Self.failure(String(repeating: key, count: 9), issuer)?.reason.contains("more than 8") == true)
        #expect(Self.failure("", issuer)?.reason.contains("no PEM block") == true)
    }

    @Test("A secret has at least 32 bytes; one trailing line break is removed from text")
    func secrets() throws {
        let issuer = "- {name: idp, issuer: i, audience: api, algorithms: [HS256, HS512], secretFile: f}"
        let pem = "-----BEGIN PUBLIC KEY-----\n" + String(repeating: "A", count: 80)
        #expect(Self.failure(pem, issuer)?.reason.contains("instead of a secret") == true)
        let secret = String(repeating: "s", count: 64)
        for (content, key) in [
            (secret, secret), (secret + "\n", secret), (secret + "\r\n", secret), (secret + "\n\n", secret + "\n\n"),
            (secret + "\u{1}\n", secret + "\u{1}\n"), ("\n" + secret, "\n" + secret), (secret + " ", secret + " "),
        ] {
            let verifier = try Fixture.verifier(issuer, files: ["f": content])
            let token = Fixture.token("HS256", iss: "i", by: .secret(Array(key.utf8)))
            #expect(verifier.refusal(token) == nil, "\(content.debugDescription)")
        }
        #expect(try Self.keys(secret, issuer).warnings.isEmpty)
        #expect(try Self.keys(String(repeating: "s", count: 63), issuer).warnings.first?.contains("64 bytes") == true)
        for short in [String(repeating: "s", count: 31), String(repeating: "s", count: 31) + "\n", "", "\n"] {
            let failure = try #require(Self.failure(short, issuer))
            #expect(failure.reason.contains("32 bytes") && !failure.description.contains("sss"))
        }
    }
}
