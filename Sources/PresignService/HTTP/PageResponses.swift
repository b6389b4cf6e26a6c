import HTTP1
import Text
import UploadPage

/// The responses with files of the upload page. Browsers cache all of them: files whose path has their version forever,
/// others until the service says that they have changed.
struct PageResponses: Sendable {
    private let policy: String
    /// Changes with the policy too, because browsers keep the policy with the page.
    private let pageTag: String

    /// - Parameter origins: the origins of the storages.
    init(connectingTo origins: [String]) {
        policy = UploadPage.contentSecurityPolicy(connectingTo: origins)
        let page = UploadPage.asset(at: "/".utf8)?.bytes ?? []
        pageTag = UploadPage.entityTag(of: page + policy.utf8)
    }

    /// Returns the file, or 304 if the client has it (RFC 9110, section 13.1.2).
    func response(with asset: UploadPage.Asset, to request: HTTPHeaders) -> HTTPResponse {
        let tag = asset.isPage ? pageTag : asset.entityTag
        let isKnown = request.contains { name, value in
            name.span.equalsIgnoringCase("if-none-match") && Self.list(value, contains: tag)
        }
        var response = HTTPResponse(status: isKnown ? 304 : 200, body: isKnown ? [] : asset.bytes)
        response.isCacheable = true
        response.add("cache-control", asset.isImmutable ? "public, max-age=31536000, immutable" : "no-cache")
        response.add("etag", tag)
        if !isKnown { response.add("content-type", asset.contentType) }
        response.add("x-content-type-options", "nosniff")
        response.add("referrer-policy", "no-referrer")
        if asset.isPage { response.add("content-security-policy", policy) }
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
