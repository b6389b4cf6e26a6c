import DataFormats
import HTTPClient

/// The members of a discovery document that are used (OpenID Connect Discovery 1.0 section 3).
struct DiscoveryDocument {
    private static let limits = JSONLimits(size: FetchRequest.standardLimit)

    /// The URL of the JWK set.
    let keySet: FetchURL
    /// Nil if the issuer has no authorization endpoint or no token endpoint.
    let endpoints: ProviderEndpoints?

    /// - Parameters:
    ///   - json: The document.
    ///   - source: Where it was fetched.
    /// - Throws: If the document belongs to another issuer or names no valid key set.
    init(_ json: [UInt8], from source: RemoteKeySource) throws(KeySetFailure) {
        let document = try KeySet.value(json, Self.limits)
        guard document["issuer"]?.string == source.issuer else {
            throw KeySetFailure(
                reason: "is the document of another issuer; `issuer` must be exactly as in the document")
        }
        func url(_ name: String) -> FetchURL? {
            guard let text = document[name]?.string,
                let url = RemoteKeySource.url(String(decoding: text, as: UTF8.self)),
                // A document from the network must not lead to a server of this machine.
                url.isSecure || !source.url.isSecure
            else { return nil }
            return url
        }
        guard let keySet = url("jwks_uri") else {
            throw KeySetFailure(reason: "has no `jwks_uri` with an https URL")
        }
        self.keySet = keySet
        if let authorization = url("authorization_endpoint"), let token = url("token_endpoint") {
            endpoints = ProviderEndpoints(
                authorization: authorization.origin + authorization.target, token: token.origin + token.target)
        } else {
            endpoints = nil
        }
    }
}
