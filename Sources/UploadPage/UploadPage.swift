/// The upload page and `presign.js`, embedded in the binary.
package enum UploadPage {
    /// A file of the upload page.
    package struct Asset: Sendable {
        /// The value of `Content-Type`.
        package let contentType: String
        /// The content.
        package let bytes: [UInt8]
        /// Whether this is the HTML document, whose response must have `contentSecurityPolicy(connectingTo:)`.
        package let isPage: Bool
    }

    /// Returns the asset at a request's path, or nil for other paths.
    ///
    /// - Parameter path: the path as received, without the query. It is compared byte by byte.
    package static func asset(at path: some Collection<UInt8>) -> Asset? {
        assets.first { path.elementsEqual($0.path.utf8) }?.asset
    }

    /// The paths of all assets.
    package static var paths: [String] { assets.map(\.path) }

    private static let assets: [(path: String, asset: Asset)] = [
        ("/", Asset(contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html, isPage: true)),
        ("/page.css", file("text/css; charset=utf-8", PackageResources.page_css)),
        ("/page.js", file("text/javascript; charset=utf-8", PackageResources.page_js)),
        ("/key.js", file("text/javascript; charset=utf-8", PackageResources.key_js)),
        ("/words.js", file("text/javascript; charset=utf-8", PackageResources.words_js)),
        ("/presign.js", file("text/javascript; charset=utf-8", PackageResources.presign_js)),
        ("/favicon.svg", file("image/svg+xml", PackageResources.favicon_svg)),
    ]

    private static func file(_ contentType: String, _ bytes: [UInt8]) -> Asset {
        Asset(contentType: contentType, bytes: bytes, isPage: false)
    }
}
