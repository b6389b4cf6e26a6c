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

    private static let assets: [(path: String, asset: Asset)] =
        [
            ("/", Asset(contentType: "text/html; charset=utf-8", bytes: PackageResources.index_html, isPage: true)),
            ("/page/page.css", file("text/css; charset=utf-8", PackageResources.page_css)),
            ("/page/rows.css", file("text/css; charset=utf-8", PackageResources.rows_css)),
            ("/presign.js", script(PackageResources.presign_js)),
            ("/presign.d.ts", file("text/plain; charset=utf-8", PackageResources.presign_d_ts)),
            ("/favicon.svg", file("image/svg+xml", PackageResources.favicon_svg)),
        ] + pageModules.map { ("/page/\($0.name).js", script($0.bytes)) }
        + modules.map { ("/js/\($0.name).js", script($0.bytes)) }

    /// The modules of the page. All resources share one namespace, so their names differ from those of `presign.js`.
    private static let pageModules: [(name: String, bytes: [UInt8])] = [
        ("account", PackageResources.account_js),
        ("address", PackageResources.address_js),
        ("connection", PackageResources.connection_js),
        ("dom", PackageResources.dom_js),
        ("files", PackageResources.files_js),
        ("folder", PackageResources.folder_js),
        ("format", PackageResources.format_js),
        ("key", PackageResources.key_js),
        ("link", PackageResources.link_js),
        ("listing", PackageResources.listing_js),
        ("main", PackageResources.main_js),
        ("offer", PackageResources.offer_js),
        ("queue", PackageResources.queue_js),
        ("state", PackageResources.state_js),
        ("uploads", PackageResources.uploads_js),
        ("words", PackageResources.words_js),
    ]

    /// The modules that `presign.js` consists of.
    private static let modules: [(name: String, bytes: [UInt8])] = [
        ("checksum", PackageResources.checksum_js),
        ("client", PackageResources.client_js),
        ("download", PackageResources.download_js),
        ("errors", PackageResources.errors_js),
        ("group", PackageResources.group_js),
        ("http", PackageResources.http_js),
        ("multipart", PackageResources.multipart_js),
        ("objects", PackageResources.objects_js),
        ("parts", PackageResources.parts_js),
        ("progress", PackageResources.progress_js),
        ("records", PackageResources.records_js),
        ("resumable", PackageResources.resumable_js),
        ("retry", PackageResources.retry_js),
        ("sending", PackageResources.sending_js),
        ("service", PackageResources.service_js),
        ("single", PackageResources.single_js),
        ("slots", PackageResources.slots_js),
        ("storage", PackageResources.storage_js),
        ("transfer", PackageResources.transfer_js),
        ("upload", PackageResources.upload_js),
        ("uppy", PackageResources.uppy_js),
        ("urls", PackageResources.urls_js),
        ("verify", PackageResources.verify_js),
    ]

    private static func script(_ bytes: [UInt8]) -> Asset {
        file("text/javascript; charset=utf-8", bytes)
    }

    private static func file(_ contentType: String, _ bytes: [UInt8]) -> Asset {
        Asset(contentType: contentType, bytes: bytes, isPage: false)
    }
}
