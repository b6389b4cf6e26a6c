import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication

@Suite("Hostile tokens")
struct HostileTokenTests {
    private typealias Fixture = TokenFixture

    @Test("A valid token of each algorithm is accepted")
    func good() throws {
        let verifier = try Fixture.verifier()
        let signers: [(String, String, SigningKey)] = [
            ("RS256", "rsa", Fixture.rsa), ("RS384", "rsa", Fixture.rsa), ("RS512", "rsa", Fixture.rsa),
            ("PS256", "rsa", Fixture.rsa), ("PS384", "rsa", Fixture.rsa), ("PS512", "rsa", Fixture.rsa),
            ("RS384", "other", Fixture.other), ("ES256", "p256", Fixture.p256), ("ES384", "p384", Fixture.p384),
            ("ES512", "p521", Fixture.p521), ("EdDSA", "ed", Fixture.edwards),
        ]
        for (algorithm, kid, key) in signers {
            let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)","typ":"JWT"}"#
            let caller = try verifier.caller(Fixture.token(algorithm, header: header, by: .key(key)))
            #expect(caller.identity == Array("alice".utf8) && caller.token?.keyID == Array(kid.utf8))
        }
        for algorithm in ["HS256", "HS384", "HS512"] {
            let token = Fixture.token(algorithm, iss: "backend", by: .secret(Array(Fixture.secret.utf8)))
            #expect(verifier.refusal(token) == nil)
        }
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256"}"#, iss: "single")) == nil)
        #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256"}"#, iss: "pem")) == nil)
        #expect(verifier.refusal(Fixture.token("ES256", iss: "pem", by: .key(Fixture.p256))) == nil)
    }

    @Test("The key determines the algorithm, whatever the header says")
    func confusion() throws {
        let verifier = try Fixture.verifier()
        let publicPEM = Array(pem("PUBLIC KEY", Fixture.rsa.publicDER).utf8)
        let publicForms = [
            publicPEM, Array(publicPEM.dropLast()), Fixture.rsa.publicDER, Fixture.rsa.number("n"),
            Array(Fixture.rsa.jwk().utf8), Array((Fixture.files["set.json"] ?? "").utf8),
        ]
        for secret in publicForms {
            for iss in ["https://set.example/", "single", "pem"] {
                #expect(verifier.refusal(Fixture.token("HS256", iss: iss, by: .secret(secret))) == .algorithmNotAllowed)
            }
            #expect(verifier.refusal(Fixture.token("HS256", iss: "backend", by: .secret(secret))) == .wrongSignature)
        }
        let cases: [(String, String, String, TokenSigner, TokenRefusal)] = [
            ("ES256", "rsa", "https://set.example/", .key(Fixture.p256), .algorithmNotOfKey),
            ("RS256", "p256", "https://set.example/", .key(Fixture.rsa), .algorithmNotOfKey),
            ("RS256", "other", "https://set.example/", .key(Fixture.other), .algorithmNotOfKey),
            ("PS384", "other", "https://set.example/", .key(Fixture.other), .algorithmNotOfKey),
            ("ES256", "p384", "https://set.example/", .key(Fixture.p256), .algorithmNotOfKey),
            ("EdDSA", "p256", "https://set.example/", .key(Fixture.edwards), .algorithmNotOfKey),
            ("RS384", "x", "single", .key(Fixture.rsa), .algorithmNotAllowed),
            ("RS256", "x", "backend", .key(Fixture.rsa), .algorithmNotAllowed),
        ]
        for (algorithm, kid, iss, signer, refusal) in cases {
            let header = #"{"alg":"\#(algorithm)","kid":"\#(kid)"}"#
            #expect(verifier.refusal(Fixture.token(algorithm, header: header, iss: iss, by: signer)) == refusal)
        }
        // The padding of another algorithm for the same key.
        #expect(
            verifier.refusal(Fixture.token("PS256", header: #"{"alg":"RS256","kid":"rsa"}"#)) == .wrongSignature)
    }

    @Test("A forged token does not affect valid tokens after it")
    func forgedFirst() throws {
        let verifier = try Fixture.verifier()
        for algorithm in ["RS512", "PS256", "RS256"] {
            let header = #"{"alg":"\#(algorithm)"}"#
            let forged = Fixture.token(algorithm, header: header, iss: "single", by: .key(Fixture.other))
            #expect(verifier.refusal(forged) == .wrongSignature)
            #expect(verifier.refusal(Fixture.token(header: #"{"alg":"RS256"}"#, iss: "single")) == nil)
        }
    }

    static let headers: [(String, TokenRefusal)] = [
        (#"{"alg":"none","kid":"rsa"}"#, .unknownAlgorithm), (#"{"alg":"None","kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":"NONE","kid":"rsa"}"#, .unknownAlgorithm), (#"{"alg":"nOnE","kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":"","kid":"rsa"}"#, .unknownAlgorithm), (#"{"kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":null,"kid":"rsa"}"#, .unknownAlgorithm), (#"{"alg":["RS256"],"kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":"rs256","kid":"rsa"}"#, .unknownAlgorithm), (#"{"alg":"RS256 ","kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":"RS1","kid":"rsa"}"#, .unknownAlgorithm), (#"{"alg":"dir","kid":"rsa"}"#, .unknownAlgorithm),
        (#"{"alg":"RS256"}"#, .keyIDMissing), (#"{"alg":"RS256","kid":"RSA"}"#, .unknownKey),
        (#"{"alg":"RS256","kid":""}"#, .unknownKey), (#"{"alg":"RS256","kid":"rsa\u0000"}"#, .unknownKey),
        (#"{"alg":"RS256","kid":"rsa "}"#, .unknownKey), (#"{"alg":"RS256","kid":"../set.json"}"#, .unknownKey),
        (#"{"alg":"RS256","kid":"' OR 1=1 --"}"#, .unknownKey), (#"{"alg":"RS256","kid":0}"#, .badKeyID),
        (#"{"alg":"RS256","kid":["rsa"]}"#, .badKeyID), (#"{"alg":"RS256","kid":null}"#, .badKeyID),
        (#"{"alg":"RS256","kid":"other"}"#, .algorithmNotOfKey),
        (#"{"alg":"RS256","kid":"rsa","crit":["exp"]}"#, .critical),
        (#"{"alg":"RS256","kid":"rsa","crit":[]}"#, .critical),
        (#"{"alg":"RS256","kid":"rsa","crit":null}"#, .critical),
        (#"{"alg":"RS256","kid":"rsa","b64":false,"crit":["b64"]}"#, .critical),
        (#"{"alg":"RS256","kid":"rsa","b64":false}"#, .detachedEncoding),
        (#"{"alg":"RS256","alg":"RS256","kid":"rsa"}"#, .headerNotJSON),
        (#"{"alg":"none","alg":"RS256","kid":"rsa"}"#, .headerNotJSON),
        (#"{"alg":"RS256","\u0061lg":"RS256","kid":"rsa"}"#, .headerNotJSON),
        (#"{"alg":"RS256","kid":"rsa",}"#, .headerNotJSON), (#"{"alg":"RS256","kid":"rsa"}{}"#, .headerNotJSON),
        ("\u{FEFF}" + #"{"alg":"RS256","kid":"rsa"}"#, .headerNotJSON), (#"["RS256"]"#, .headerNotJSON),
        (#""RS256""#, .headerNotJSON), ("{}", .unknownAlgorithm), (#"{'alg':'RS256','kid':'rsa'}"#, .headerNotJSON),
        (#"{"alg":"RS256","kid":"rsa","x":\#(String(repeating: "[", count: 4000))"#, .headerNotJSON),
        (#"{"alg":"RS256","kid":"rsa","typ":1}"#, .badType),
        (#"{"alg":"RS256","kid":"rsa","typ":"logout+jwt"}"#, .wrongType),
        (#"{"alg":"RS256","kid":"rsa","typ":"secevent+jwt"}"#, .wrongType),
        (#"{"alg":"RS256","kid":"rsa","typ":""}"#, .wrongType),
    ]

    @Test("Rejects unusable headers on correctly signed tokens", arguments: headers)
    func header(header: String, refusal: TokenRefusal) throws {
        #expect(try Fixture.verifier().refusal(Fixture.token(header: header)) == refusal)
    }

    @Test("Keys embedded in a token are ignored")
    func ownKeys() throws {
        let verifier = try Fixture.verifier()
        let more = #","jwk":\#(Fixture.p384.jwk()),"jku":"https://evil.example/","x5u":"file:///x","x5c":["AA=="]"#
        let header = #"{"alg":"RS256","kid":"rsa"\#(more)}"#
        #expect(verifier.refusal(Fixture.token(header: header)) == nil)
        let forger = SigningKey(.rsa(bits: 2048))
        let forged = #"{"alg":"RS256","kid":"rsa","jwk":\#(forger.jwk())}"#
        #expect(verifier.refusal(Fixture.token(header: forged, by: .key(forger))) == .wrongSignature)
        let known = #"{"alg":"RS256","kid":"evil","jwk":\#(forger.jwk(#","kid":"evil""#))}"#
        #expect(verifier.refusal(Fixture.token(header: known, by: .key(forger))) == .unknownKey)
    }

    @Test("Rejects texts that are not three canonical parts")
    func shapes() throws {
        let verifier = try Fixture.verifier()
        let token = Fixture.token()
        let parts = token.split(separator: ".").map(String.init)
        let (header, claims, signature) = (parts[0], parts[1], parts[2])
        let cases: [(String, TokenRefusal)] = [
            ("", .notThreeParts), (".", .notThreeParts), ("..", .emptySignature), ("...", .notThreeParts),
            ("\(header).\(claims)", .notThreeParts), ("\(header).\(claims).", .emptySignature),
            ("\(token).", .notThreeParts), ("\(token).\(signature)", .notThreeParts), (".\(token)", .notThreeParts),
            ("\(header)..\(signature)", .claimsNotJSON), (".\(claims).\(signature)", .headerNotJSON),
            ("\(token)=", .notBase64URL), ("\(token)==", .notBase64URL),
            ("\(header)=.\(claims).\(signature)", .notBase64URL),
            ("\(token) ", .notBase64URL), (" \(token)", .notBase64URL), ("\(token)\n", .notBase64URL),
            ("\(header).\(claims).\(signature)A", .wrongSignature),
            ("\(header).\(claims).\(signature)AA", .wrongSignature),
            ("\(header).\(claims).\(signature.dropLast())", .notBase64URL),
            ("\(header).\(claims).\(signature.dropLast(2))", .wrongSignature),
            ("\(header).\(claims).AAAA", .wrongSignature), ("\(header).\(claims)A.\(signature)", .claimsNotJSON),
            ("\(token)\u{0}", .notBase64URL), ("\(header).\(claims).\(signature)+", .notBase64URL),
            ("eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", .notThreeParts),
            (String(repeating: "A", count: CompactToken.maximumLength + 1), .tooLong),
            (String(repeating: ".", count: CompactToken.maximumLength), .notThreeParts),
        ]
        for (text, refusal) in cases {
            let found = verifier.refusal(text)
            // A part that is one character longer or shorter may be invalid base64, or only invalid JSON.
            let isAlike = found == .notBase64URL && (refusal == .claimsNotJSON || refusal == .wrongSignature)
            #expect(found == refusal || isAlike, "\(text.prefix(40)): \(String(describing: found)), not \(refusal)")
        }
        #expect(verifier.refusal(token) == nil)
    }

    @Test("The last character of a part has one valid form")
    func lastCharacter() throws {
        let verifier = try Fixture.verifier()
        let token = Fixture.token()
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for character in alphabet where character != token.last {
            #expect(verifier.refusal(token.dropLast() + String(character)) != nil)
        }
    }

    static let payloads = [
        "", "null", "[]", "{", "\"x\"", "1", #"{"iss":"https://set.example/"} x"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"alice","sub":"root","exp":1800000600}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"alice","exp":1,"exp":1800000600}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"a","exp":1800000600,"x":\#(String(repeating: "{\"a\":", count: 900))"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"a","exp":1800000600,"x":[[[[[[[[1]]]]]]]]}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"a","exp":01800000600}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"a","exp":+1800000600}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"a","exp":Infinity}"#,
        #"{"iss":"https://set.example/","aud":"api","sub":"\ud800","exp":1800000600}"#,
    ]

    @Test("Rejects correctly signed claims that are not a strict JSON object", arguments: payloads)
    func claims(json: String) throws {
        let token = TokenSigner.key(Fixture.rsa).token("RS256", header: #"{"alg":"RS256","kid":"rsa"}"#, claims: json)
        #expect(try Fixture.verifier().refusal(token) == .claimsNotJSON)
    }

    @Test(
        "Issuers are compared byte by byte",
        arguments: [
            "\"https://set.example\"", "\"https://SET.example/\"", "\"https://set.example/ \"", "\"\"", "1", "null",
            "[\"https://set.example/\"]", "\"https:\\/\\/set.example\\/x\"", nil,
        ])
    func issuers(iss: String?) throws {
        #expect(try Fixture.verifier().refusal(Fixture.token(["iss": iss])) == .unknownIssuer)
    }

    @Test("An issuer's key verifies only that issuer's tokens")
    func foreignIssuer() throws {
        let verifier = try Fixture.verifier()
        let token = Fixture.token(header: #"{"alg":"RS384","kid":"other"}"#, iss: "single", by: .key(Fixture.other))
        #expect(verifier.refusal(token) == .algorithmNotAllowed)
        let foreign = Fixture.token(header: #"{"alg":"RS256","kid":"other"}"#, iss: "pem", by: .key(Fixture.other))
        #expect(verifier.refusal(foreign) == .wrongSignature)
        #expect(try Fixture.verifier("[]").refusal(Fixture.token()) == .noIssuers)
    }
}
