package import ConfigurationReading

/// The section `page`: `true`, `false`, or settings of the upload page, which is then served.
package struct PageConfiguration: Sendable {
    /// Whether the page is served at `/`.
    package var isServed = true
    /// Whether `GET /permissions` shows guests the folders that they may list or upload to.
    package var showsGuestFolders = false

    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        guard case .mapping = node.content else {
            isServed = try node.boolean()
            return
        }
        let keys = try node.mapping(["guestFolders"])
        keys.read("guestFolders", into: &showsGuestFolders) { try $0.boolean() }
    }
}
