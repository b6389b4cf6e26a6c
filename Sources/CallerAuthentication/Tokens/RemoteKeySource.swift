import Cryptography
package import HTTPClient

/// Where the keys of an issuer are fetched, and what decides which keys are used. Configurations with an equal source
/// share the fetched keys.
package struct RemoteKeySource: Sendable, Hashable {
    /// The issuer's name in the configuration.
    package let issuerName: String
    /// The issuer's `iss`, which a discovery document must repeat byte by byte.
    let issuer: [UInt8]
    /// The URL of a JWK set, or of a discovery document that names it.
    package let url: FetchURL
    /// Whether `url` is a discovery document (OpenID Connect Discovery 1.0 section 4).
    let isDiscovery: Bool
    /// The algorithms that a key must be for.
    let algorithms: [SignatureAlgorithm]
    /// The age in seconds from which keys are no longer used.
    let maxStale: Int

    /// The URL of an issuer's discovery document; nil if the issuer is not a URL that keys may be fetched from.
    static func discoveryURL(of issuer: String) -> FetchURL? {
        let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
        guard !base.utf8.contains(UInt8(ascii: "?")) else { return nil }
        return url(base + "/.well-known/openid-configuration")
    }

    /// A URL with `https`, or with `http` on this machine; nil for other texts.
    static func url(_ text: String) -> FetchURL? {
        guard let url = FetchURL(text), url.isSecure || url.isLoopback else { return nil }
        return url
    }
}
