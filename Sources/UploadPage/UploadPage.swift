/// The upload page and `presign.js`, as they stand in the binary.
package enum UploadPage {
    /// One file that a browser may ask for.
    package struct Asset: Sendable {
        /// The value of `Content-Type`.
        package let contentType: String
        /// The whole content.
        package let bytes: [UInt8]
        /// True for the document itself: its answer must carry `contentSecurityPolicy(connectingTo:)`.
        package let isPage: Bool
    }

    /// The asset at a request's path, nil for every other path.
    ///
    /// - Parameter path: as received, without the query; compared byte for byte.
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
