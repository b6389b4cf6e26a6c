@testable import CallerAuthentication
@testable import DataFormats

/// The issuer of fuzzed tokens. Its secret is random and never used to sign.
enum FuzzedIssuer {
    static let now: Int64 = 1_800_000_000

    static let issuer: TokenIssuer = {
        let configuration = FuzzedIssuer.configuration(.secret)
        var random = SystemRandomNumberGenerator()
        let secret = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
        guard let keys = try? IssuerKeys(of: configuration, read: { _ in secret }) else { fatalError("no secret") }
        return TokenIssuer(configuration, keys)
    }()

    static let verifier = TokenVerifier([issuer])

    static func configuration(_ format: TokenIssuerConfiguration.Keys.Format) -> TokenIssuerConfiguration {
        let source =
            switch format {
            case .keySet: "algorithms: [RS256, PS256, ES256, ES384, ES512, EdDSA], jwks: f"
            case .pem: "algorithms: [RS256, PS256, ES256, ES384, ES512, EdDSA], pem: f"
            case .certificates: "algorithms: [RS256], certificates: f"
            case .secret: "algorithms: [HS256, HS384, HS512], secretFile: f"
            }
        let claims = "{groups: [realm_access, roles], tenant: \"https://acme.example/tenant\"}"
        let text = "[{name: i, issuer: i, audience: a, claims: \(claims), separator: \",\", \(source)}]"
        let issuers = try? ConfigurationNode.read(Array(text.utf8), file: "f", TokenIssuerConfiguration.list)
        guard let issuer = issuers?.first else { fatalError("no configuration") }
        return issuer
    }

    /// A straightforward encoder to compare with.
    static func base64URL(_ bytes: [UInt8]) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let bits = bytes.flatMap { byte in (0..<8).map { byte >> (7 - $0) & 1 } }
        return stride(from: 0, to: bits.count, by: 6).map { start in
            alphabet[(0..<6).reduce(0) { $0 << 1 | (start + $1 < bits.count ? Int(bits[start + $1]) : 0) }]
        }
    }
}
