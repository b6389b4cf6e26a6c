import CallerAuthentication
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
    private let signIn: PageSignIn?
    private let pageWithoutSignIn: Page

    /// - Parameters:
    ///   - origins: the origins of the storages.
    ///   - signIn: how the page signs users in; nil if only with API keys.
    init(connectingTo origins: [String], signIn: PageSignIn?) {
        (self.origins, self.signIn) = (origins, signIn)
        pageWithoutSignIn = Page(
            UploadPage.asset(at: "/".utf8)?.bytes ?? [], UploadPage.contentSecurityPolicy(connectingTo: origins))
    }

    /// Returns the document with the endpoints that are known now.
    private func page(discovered: ProviderEndpoints?) -> Page {
        guard let signIn else { return pageWithoutSignIn }
        let endpoints = signIn.endpoints ?? discovered
        return Page(
            UploadPage.page(signingInWith: signIn.json(endpoints)),
            UploadPage.contentSecurityPolicy(connectingTo: origins, tokenEndpoint: endpoints?.token))
    }

    /// Returns the file, or 304 if the client has it (RFC 9110, section 13.1.2).
    ///
    /// - Parameter endpoints: those that the provider of `page.signIn` has published; nil if they are not known (yet).
    func response(
        with asset: UploadPage.Asset, to request: HTTPHeaders, endpoints: ProviderEndpoints? = nil
    ) -> HTTPResponse {
        let page = asset.isPage ? page(discovered: endpoints) : nil
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
