package import DataFormats
import HTTP1
import Text

/// The section `page.signIn`: the public client of an identity provider as which the upload page signs users in.
package struct PageSignIn: Sendable {
    /// The name of the issuer in `auth.jwt`.
    package let issuerName: String
    /// The `iss` of its tokens.
    let issuer: String
    let clientID: String
    /// At least `openid`.
    let scopes: [String]
    let token: SignInToken
    /// The parameter `audience` of the authorization request; nil omits it.
    let audience: String?
    /// The configured endpoints, or those of the preset; nil if only the provider knows them.
    package let endpoints: ProviderEndpoints?
    /// Settings that are valid but probably unintended.
    package private(set) var warnings: [ConfigurationError] = []
    /// The place of the section in the configuration.
    package let position: SourcePosition

    /// - Parameter issuers: the entries of `auth.jwt`, which are valid.
    package init(_ node: ConfigurationNode, issuers: [TokenIssuerConfiguration]) throws(ConfigurationError) {
        let keys = try node.mapping([
            "issuer", "clientID", "scopes", "token", "audience", "authorizationEndpoint", "tokenEndpoint",
        ])
        let chosen = keys.required("issuer") { try Self.issuer($0, among: issuers) }
        let scopes = keys.value("scopes", Self.scopes)
        let token = keys.value("token") { try $0.choice(SignInToken.self) }
        audience = keys.value("audience", Self.visible)
        let configured = Self.endpoints(keys)
        guard let clientID = keys.required("clientID", Self.visible), let chosen else { throw keys.incomplete }
        self.clientID = clientID
        issuerName = chosen.issuer.name
        issuer = String(decoding: chosen.issuer.issuer, as: UTF8.self)
        self.scopes = scopes ?? chosen.scopes
        self.token = token ?? chosen.token
        endpoints = configured ?? chosen.issuer.preset?.endpoints(issuer)
        position = node.position
        let names = ["authorizationEndpoint", "tokenEndpoint"]
        if endpoints == nil, !chosen.issuer.usesDiscovery,
            names.allSatisfy({ keys[$0] == nil && !keys.isMisspelled($0) })
        {
            throw node.error(
                "needs `authorizationEndpoint` and `tokenEndpoint`, which do not follow from the issuer"
                    + " `\(issuerName)`; or set `discovery: true` there")
        }
        warnings = clientWarnings(of: chosen.issuer) + [audienceWarning(of: chosen.issuer)].compactMap(\.self)
    }

    /// Returns the issuer with this name, and the defaults of its preset.
    private static func issuer(
        _ node: ConfigurationNode, among issuers: [TokenIssuerConfiguration]
    ) throws(ConfigurationError) -> (issuer: TokenIssuerConfiguration, token: SignInToken, scopes: [String]) {
        let name = try node.string()
        guard let issuer = issuers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            throw node.error(
                "is \(name.quoted), but `auth.jwt` has no issuer with this name"
                    + Suggestion.text(for: name, among: issuers.map(\.name)))
        }
        if let header = issuer.header {
            throw node.error(
                "is \(name.quoted), whose tokens are read from the header `\(String(decoding: header, as: UTF8.self))`: a"
                    + " proxy signs its users in before they reach the page; remove `page.signIn`")
        }
        switch issuer.preset?.signIn ?? .standard {
        case .code(let token, let scopes): return (issuer, token, scopes)
        case .sdk(let reason):
            throw node.error(
                "is \(name.quoted) with the preset `\(issuer.preset?.rawValue ?? "")`, with which this page cannot sign in:"
                    + " \(reason); use the provider's SDK in a page of your own and give its token to presign.js, see"
                    + " \"With your provider's SDK\" in the guide's page UserSignIn")
        }
    }

    private static func scopes(_ node: ConfigurationNode) throws(ConfigurationError) -> [String] {
        let scopes = try node.each { try Self.visible($0) }
        guard scopes.contains("openid") else {
            throw node.error("must contain `openid`, with which the provider tells who the user is")
        }
        return scopes
    }

    /// Reads both endpoints, or none. Mistakes are collected.
    private static func endpoints(_ keys: ConfigurationMapping) -> ProviderEndpoints? {
        guard keys["authorizationEndpoint"] != nil || keys["tokenEndpoint"] != nil else { return nil }
        let authorization = keys.required("authorizationEndpoint", endpoint)
        let token = keys.required("tokenEndpoint", endpoint)
        guard let authorization, let token else { return nil }
        return ProviderEndpoints(authorization: authorization, token: token)
    }

    private static func endpoint(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try visible(node)
        let bytes = Array(text.utf8)
        guard let url = try? AbsoluteURL(bytes.span),
            url.isSecure || WebOrigin(bytes[..<url.authorityRange.upperBound])?.isLoopback == true
        else { throw node.error("must be an https URL; http only on this machine") }
        return text
    }

    private static func visible(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let text = try node.string()
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            throw node.error("must be visible ASCII characters without blanks")
        }
        return text
    }

    /// Returns a warning for each binding to a client that does not name this one.
    private func clientWarnings(of issuer: TokenIssuerConfiguration) -> [ConfigurationError] {
        let bindings = [
            ("authorizedParties", issuer.authorizedParties), ("clientIDs", token == .access ? issuer.clientIDs : []),
        ]
        return bindings.filter { !$1.isEmpty && !$1.contains(Array(clientID.utf8)) }.map { key, _ in
            ConfigurationError(
                position,
                "the tokens of `page.signIn` are for the client \(clientID.quoted), which the issuer `\(issuer.name)` does"
                    + " not accept; add it to `\(key)` of the issuer")
        }
    }

    /// Returns a warning if the service would refuse the audience of the tokens.
    private func audienceWarning(of issuer: TokenIssuerConfiguration) -> ConfigurationError? {
        let expected: String
        switch (token, issuer.preset?.accessAudience ?? .parameter(required: nil)) {
        case (.access, .client) where issuer.audiences.isEmpty: return nil
        case (.id, _), (.access, .client): expected = clientID
        case (.access, .parameter(let reason)):
            guard let audience else {
                return reason.map { ConfigurationError(position, "`page.signIn` has no `audience`, \($0)") }
            }
            expected = audience
        }
        guard !issuer.audiences.contains(Array(expected.utf8)) else { return nil }
        return ConfigurationError(
            position,
            "the \(token == .id ? "ID" : "access") tokens of `page.signIn` have the audience \(expected.quoted), which"
                + " the issuer `\(issuer.name)` does not accept; add it to `audience` of the issuer")
    }
}

extension PageSignIn {
    /// Writes the settings for the page, see `SignInOptions` in presign.d.ts.
    ///
    /// - Parameter endpoints: nil if they are not known (yet), so that the page can say so.
    package func write(to json: inout JSONWriter, _ endpoints: ProviderEndpoints?) {
        json.member("issuer", issuer)
        json.member("clientID", clientID)
        json.array("scopes", scopes)
        json.member("token", token.rawValue)
        json.member("audience", audience)
        json.member("authorizationEndpoint", endpoints?.authorization)
        json.member("tokenEndpoint", endpoints?.token)
    }
}
