/// Issuers with keys generated for the run, and tokens of every shape.
package enum TokenFixture {
    package static let now: Int64 = 1_800_000_000
    package static let rsa = SigningKey(.rsa(bits: 2048))
    package static let other = SigningKey(.rsa(bits: 2048))
    package static let p256 = SigningKey(.curve("P-256"))
    package static let p384 = SigningKey(.curve("P-384"))
    package static let p521 = SigningKey(.curve("P-521"))
    package static let edwards = SigningKey(.ed25519)
    package static let secret = String(repeating: "secret-", count: 10)

    package static let algorithms = "[RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA]"

    /// Four issuers: a JWK set with several keys, a single JWK without `alg`, a PEM file, and a secret.
    package static let yaml = """
        - {name: set, issuer: "https://set.example/", audience: [api, web], algorithms: \(algorithms), jwks: set.json}
        - {name: single, issuer: single, audience: api, algorithms: [RS256, RS512, PS256], jwks: single.json}
        - {name: pem, issuer: pem, audience: api, algorithms: [RS256, ES256], pem: keys.pem}
        - {name: backend, issuer: backend, audience: api, algorithms: [HS256, HS384, HS512], secretFile: secret}
        """

    package static let files = [
        "set.json": set([
            rsa.jwk(#","kid":"rsa","use":"sig""#), other.jwk(#","kid":"other","alg":"RS384""#),
            p256.jwk(#","kid":"p256","alg":"ES256""#), p384.jwk(#","kid":"p384""#), p521.jwk(#","kid":"p521""#),
            edwards.jwk(#","kid":"ed","key_ops":["verify"]"#),
        ]),
        "single.json": set([rsa.jwk()]),
        "keys.pem": pem("PUBLIC KEY", rsa.publicDER) + pem("CERTIFICATE", p256.certificateDER),
        "secret": secret + "\n",
    ]

    package static func set(_ keys: [String]) -> String { #"{"keys":[\#(keys.joined(separator: ","))]}"# }

    /// The claims of a valid token. The changes replace members of the same name, or remove them if nil.
    package static func claims(iss: String = "https://set.example/", _ changes: [String: String?] = [:]) -> String {
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

    /// A token signed with the set's RSA key.
    package static func token(
        _ algorithm: String = "RS256", header: String? = nil, _ changes: [String: String?] = [:], iss: String? = nil,
        by signer: TokenSigner = .key(rsa)
    ) -> String {
        signer.token(
            algorithm, header: header ?? #"{"alg":"\#(algorithm)","kid":"rsa"}"#,
            claims: claims(iss: iss ?? "https://set.example/", changes))
    }

    /// A token signed with the set's RSA key, with other claims.
    package static func token(_ changes: [String: String?], by signer: TokenSigner = .key(rsa)) -> String {
        token("RS256", changes, by: signer)
    }
}
