import CallerAuthentication
import DataFormats
import HTTP1
import Text
import UploadPage

/// The responses with files of the upload page. Browsers cache all of them: files whose path has their version forever,
/// others until the service says that they have changed.
struct PageResponses: Sendable {
    /// The HTML document and its policy.
    private struct Page {
        let bytes: [UInt8]
        let policy: String
        /// Changes with the policy too, because browsers keep the policy with the page.
        let tag: String

        init(_ bytes: [UInt8], _ policy: String) {
            (self.bytes, self.policy) = (bytes, policy)
            tag = UploadPage.entityTag(of: bytes + policy.utf8)
        }
    }

    private let origins: [String]
    private let configuration: ServiceConfiguration
    /// The endpoints that the provider of `page.signIn` has published; nil if they are not known (yet).
    private let discovered: ProviderEndpoints?
    private let document: Page

    /// - Parameters:
    ///   - origins: the origins of the storages.
    ///   - configuration: says how the page signs users in.
    ///   - authenticator: has the endpoints that providers have published.
    init(connectingTo origins: [String], _ configuration: ServiceConfiguration, _ authenticator: CallerAuthenticator) {
        (self.origins, self.configuration) = (origins, configuration)
        discovered = Self.published(configuration, authenticator)
        let endpoints = configuration.pageSignIn?.endpoints ?? discovered
        document = Page(
            UploadPage.page(settings: Self.settings(configuration, endpoints)),
            UploadPage.contentSecurityPolicy(connectingTo: origins, tokenEndpoint: endpoints?.token))
    }

    private static func published(
        _ configuration: ServiceConfiguration, _ authenticator: CallerAuthenticator
    ) -> ProviderEndpoints? {
        configuration.pageSignIn.flatMap { authenticator.endpoints(ofIssuer: $0.issuerName) }
    }

    /// Returns the settings that `page/language.js` reads.
    private static func settings(_ configuration: ServiceConfiguration, _ endpoints: ProviderEndpoints?) -> String {
        var output = ByteBuffer()
        output.appendObject { json in
            json.member("needsCredentials", configuration.authentication.needsSentCredentials)
            json.array("languages", UploadPage.languages)
            json.member("language", configuration.page?.language)
            json.member("title", configuration.page?.title)
            if let signIn = configuration.pageSignIn { json.object("signIn") { signIn.write(to: &$0, endpoints) } }
        }
        return String(decoding: output.bytes, as: UTF8.self)
    }

    /// Returns the responses with the endpoints that are known now.
    func renewed(with authenticator: CallerAuthenticator) -> PageResponses {
        Self.published(configuration, authenticator) == discovered
            ? self : PageResponses(connectingTo: origins, configuration, authenticator)
    }

    /// Returns the file, or 304 if the client has it (RFC 9110, section 13.1.2).
    func response(with asset: UploadPage.Asset, to request: HTTPHeaders) -> HTTPResponse {
        let page = asset.isPage ? document : nil
        let tag = page?.tag ?? asset.entityTag
        let isKnown = request.contains { name, value in
            name.span.equalsIgnoringCase("if-none-match") && Self.list(value, contains: tag)
        }
        var response = HTTPResponse(status: isKnown ? 304 : 200, body: isKnown ? [] : page?.bytes ?? asset.bytes)
        response.isCacheable = true
        response.add("cache-control", asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
        response.add("etag", tag)
        if !isKnown { response.add("content-type", asset.contentType) }
        response.add("x-content-type-options", "nosniff")
        response.add("referrer-policy", "no-referrer")
        if let page { response.add("content-security-policy", page.policy) }
        return response
    }

    /// Whether a list of entity tags contains one by weak comparison. The tags of this service contain no comma.
    private static func list(_ list: ArraySlice<UInt8>, contains tag: String) -> Bool {
        list.split(separator: UInt8(ascii: ",")).contains { item in
            let item = item.trimming(ASCII.isWhitespace)
            return item.elementsEqual("*".utf8) || item.elementsEqual(tag.utf8)
                || item.starts(with: "W/".utf8) && item.dropFirst(2).elementsEqual(tag.utf8)
        }
    }
}
