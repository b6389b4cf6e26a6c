package import CallerAuthentication
package import DataFormats
import Text

/// The section `page`: `true`, `false`, or settings of the upload page, which is then served.
package struct PageConfiguration: Sendable {
    /// Whether the page is served at `/`.
    package var isServed = true
    /// Whether `GET /permissions` shows guests the folders that they may list or upload to.
    package var showsGuestFolders = false
    /// The name of the service on the page; nil for presign's.
    package private(set) var title: String?
    /// The language of the page; nil for that of the browser.
    package private(set) var language: String?
    /// How the page signs users in; nil if only with API keys.
    package private(set) var signIn: PageSignIn?

    /// - Parameters:
    ///   - issuers: the entries of `auth.jwt`; nil if they have mistakes, so that `signIn` cannot be read.
    ///   - languages: those that the page has.
    package init(
        _ node: ConfigurationNode, _ issuers: [TokenIssuerConfiguration]?, languages: [String]
    ) throws(ConfigurationError) {
        guard case .mapping = node.content else {
            isServed = try node.boolean()
            return
        }
        let keys = try node.mapping(["title", "language", "guestFolders", "signIn"])
        title = keys.value("title", Self.title)
        language = keys.value("language") { node throws(ConfigurationError) in
            let language = try node.string()
            guard languages.contains(language) else {
                throw node.error("must be one of \(languages.joined(separator: ", ")), but is \(language.quoted)")
            }
            return language
        }
        keys.read("guestFolders", into: &showsGuestFolders) { try $0.boolean() }
        if let issuers { signIn = keys.value("signIn") { try PageSignIn($0, issuers: issuers) } }
    }

    private static func title(_ node: ConfigurationNode) throws(ConfigurationError) -> String {
        let title = try node.string()
        let isControl = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .control }
        guard 1...64 ~= title.count, !title.unicodeScalars.contains(where: isControl) else {
            throw node.error("must have 1 to 64 characters, none of them a control character")
        }
        return title
    }
}
