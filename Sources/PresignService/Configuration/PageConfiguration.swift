package import CallerAuthentication
package import DataFormats

/// The section `page`: `true`, `false`, or settings of the upload page, which is then served.
package struct PageConfiguration: Sendable {
    /// Whether the page is served at `/`.
    package var isServed = true
    /// Whether `GET /permissions` shows guests the folders that they may list or upload to.
    package var showsGuestFolders = false
    /// How the page signs users in; nil if only with API keys.
    package private(set) var signIn: PageSignIn?

    /// - Parameter issuers: the entries of `auth.jwt`; nil if they have mistakes, so that `signIn` cannot be read.
    package init(_ node: ConfigurationNode, issuers: [TokenIssuerConfiguration]?) throws(ConfigurationError) {
        guard case .mapping = node.content else {
            isServed = try node.boolean()
            return
        }
        let keys = try node.mapping(["guestFolders", "signIn"])
        keys.read("guestFolders", into: &showsGuestFolders) { try $0.boolean() }
        if let issuers { signIn = keys.value("signIn") { try PageSignIn($0, issuers: issuers) } }
    }
}
