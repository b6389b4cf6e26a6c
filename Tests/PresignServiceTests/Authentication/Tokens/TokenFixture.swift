import TestSupport
import Testing

@testable import AccessRules
@testable import CallerAuthentication
@testable import PresignService
@testable import Presigning

/// Issuers with keys made for the run, and tokens in every shape.
enum TokenFixture {
    static let now: Int64 = 1_800_000_000
    static let rsa = SigningKey(.rsa(bits: 2048))
    static let other = SigningKey(.rsa(bits: 2048))
    static let p256 = SigningKey(.curve("P-256"))
    static let p384 = SigningKey(.curve("P-384"))
    static let p521 = SigningKey(.curve("P-521"))
    static let edwards = SigningKey(.ed25519)
    static let secret = String(repeating: "secret-", count: 10)

    static let algorithms = "[RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA]"

    /// One issuer with a set of several keys, one of a single key without `alg`, one of a PEM file, one of a secret.
    static let yaml = """
        - {name: set, issuer: "https://set.example/", audience: [api, web], algorithms: \(algorithms), jwks: set.json}
        - {name: single, issuer: single, audience: api, algorithms: [RS256, RS512, PS256], jwks: single.json}
        - {name: pem, issuer: pem, audience: api, algorithms: [RS256, ES256], pem: keys.pem}
        - {name: backend, issuer: backend, audience: api, algorithms: [HS256, HS384, HS512], secretFile: secret}
        """

    static let files = [
        "set.json": set([
            rsa.jwk(#","kid":"rsa","use":"sig""#), other.jwk(#","kid":"other","alg":"RS384""#),
            p256.jwk(#","kid":"p256","alg":"ES256""#), p384.jwk(#","kid":"p384""#), p521.jwk(#","kid":"p521""#),
            edwards.jwk(#","kid":"ed","key_ops":["verify"]"#),
        ]),
        "single.json": set([rsa.jwk()]),
        "keys.pem": pem("PUBLIC KEY", rsa.publicDER) + pem("CERTIFICATE", p256.certificateDER),
        "secret": secret + "\n",
    ]

    static func set(_ keys: [String]) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    /// The claims of a good token, the members given put in place of those of the same name, or left out when nil.
    static func claims(iss: String = "https://set.example/", _ changes: [String: String?] = [:]) -> String {
        var members: [(String, String?)] = [
            ("iss", "\"\(iss)\""), ("aud", "\"api\""), ("sub", "\"alice\""), ("iat", "\(now - 60)"),
            ("exp", "\(now + 600)"),
        ]
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let index = members.firstIndex(where: { $0.0 == name }) {
                members[index].1 = value
            } else {
                members.append((name, value))
            }
        }
        let present = members.compactMap { name, value in value.map { "\"\(name)\":\($0)" } }
        return "{" + present.joined(separator: ",") + "}"
    }

    /// A token of the set's RSA key.
    static func token(
        _ algorithm: String = "RS256", header: String? = nil, _ changes: [String: String?] = [:], iss: String? = nil,
        by signer: TokenSigner = .key(rsa)
    ) -> String {
        signer.token(
            algorithm, header: header ?? #"{"alg":"\#(algorithm)","kid":"rsa"}"#,
            claims: claims(iss: iss ?? "https://set.example/", changes))
    }

    /// A token of the set's RSA key, with other claims.
    static func token(_ changes: [String: String?], by signer: TokenSigner = .key(rsa)) -> String {
        token("RS256", changes, by: signer)
    }

    static func configuration(_ issuers: String) throws -> AuthenticationConfiguration {
        let text =
            "version: 1\nstores: {media: {bucket: acme, region: eu-west-1}}\nauth:\n  jwt:\n"
            + issuers.split(separator: "\n").map { "    \($0)\n" }.joined()
        return try ServiceConfiguration(parsing: Array(text.utf8), file: "c.yaml").authentication
    }

    struct Missing: Error {}

    static func issuers(_ issuers: String = yaml, files: [String: String] = files) throws -> [TokenIssuer] {
        try configuration(issuers).issuers.map { issuer in
            TokenIssuer(issuer, try keys(of: issuer, files))
        }
    }

    static func keys(_ issuer: String, _ files: [String: String]) throws -> IssuerKeys {
        try keys(of: try #require(try configuration(issuer).issuers.first), files)
    }

    private static func keys(of issuer: TokenIssuerConfiguration, _ files: [String: String]) throws -> IssuerKeys {
        try IssuerKeys(of: issuer) { path in
            guard let text = files[path] else { throw Missing() }
            return Array(text.utf8)
        }
    }

    static func verifier(_ yaml: String = yaml, files: [String: String] = files) throws -> TokenVerifier {
        TokenVerifier(try issuers(yaml, files: files))
    }
}

extension TokenVerifier {
    /// The caller, or why there is none.
    func result(_ token: String, at now: Int64 = TokenFixture.now) -> Result<Caller, TokenRefusal> {
        do throws(TokenRefusal) {
            return .success(try caller(for: Array(token.utf8).span, at: now))
        } catch {
            return .failure(error)
        }
    }

    func refusal(_ token: String, at now: Int64 = TokenFixture.now) -> TokenRefusal? {
        if case .failure(let refusal) = result(token, at: now) { refusal } else { nil }
    }

    func caller(_ token: String, at now: Int64 = TokenFixture.now) throws -> Caller {
        try result(token, at: now).get()
    }
}
