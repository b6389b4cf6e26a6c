package import AccessRules
package import CallerAuthentication
import Cryptography
package import DataFormats
package import HTTP1
package import HTTPServer
package import ObjectExistence
import Presigning
package import StorageCredentials
package import Telemetry
import Text
import UploadPage

/// A configuration file, read and validated.
package struct ServiceConfiguration: Sendable {
    /// Listeners, limits, timeouts.
    package var server = HTTPServerConfiguration.standard
    /// The TLS files; nil disables TLS.
    package var tls: TLSConfiguration?
    /// The maximum sizes of request bodies.
    package var bodies = BodyLimits()
    /// The sources of storage credentials.
    package var aws = CredentialConfiguration()
    /// At least one store; exactly one is the default.
    package var stores: [StoreConfiguration] = []
    /// The lifetimes of URLs.
    package var expires = ExpiryLimits()
    /// The limits of existence checks.
    package var existence = ExistenceConfiguration()
    /// How callers authenticate.
    package var authentication = AuthenticationConfiguration()
    /// The rate limits.
    package var limits = LimitsConfiguration()
    /// The web origins that may call.
    package var cors = CORSPolicy(origins: [], maxAge: 7200)
    /// What is logged.
    package var log = LogConfiguration()
    /// The output of the audit.
    package var audit = AuditConfiguration()
    /// Whether and where metrics are served.
    package var metrics = MetricsConfiguration()
    /// How long `/readyz` responds 503 before the service stops accepting connections.
    package var shutdownDelay: Duration = .zero
    /// The access rules.
    package var policy: AccessPolicy
    /// Whether the upload page is served at `/`.
    package var servesPage: Bool { page?.isServed ?? (local != nil) }
    /// Whether `GET /permissions` shows guests the folders that they may list or upload to.
    package var showsGuestFolders: Bool { page?.showsGuestFolders ?? false }
    /// How the upload page signs users in; nil if only with API keys.
    package var pageSignIn: PageSignIn? { page?.signIn }
    package private(set) var page: PageConfiguration?
    /// Where the Git LFS API keeps its objects; nil if it is not offered.
    package var lfs: LFSConfiguration?
    /// The keys of share links, and the links that are revoked.
    package var shares = ShareConfiguration()
    /// The embedded storage, which replaces every store's storage; nil if not used.
    package var local: LocalConfiguration?
    /// The first 6 bytes of the file's SHA-256, in hexadecimal. Identifies the version of the file in logs and the
    /// audit.
    package let revision: String
    private(set) var policyWarnings: [ConfigurationError] = []
    /// The positions of the sections `auth` and `rules`; the start of the file if absent.
    let callersPosition, rulesPosition: SourcePosition

    /// Whether any caller can authenticate or guests are allowed.
    package var hasCallers: Bool { authentication.admitsCallers }

    /// Reads the file's bytes.
    ///
    /// - Parameters:
    ///   - yaml: the file's content, UTF-8.
    ///   - file: the file's name, for positions in errors.
    /// - Throws: `ConfigurationError` with line and column of the first error; its `further` has the others.
    package init(parsing yaml: [UInt8], file: String) throws(ConfigurationError) {
        let revision = Hexadecimal.encode(Array(SHA256.hash(yaml).bytes.prefix(6)))
        self = try ConfigurationNode.read(yaml, file: file) { try ServiceConfiguration($0, revision: revision) }
    }

    private init(_ root: ConfigurationNode, revision: String) throws(ConfigurationError) {
        self.revision = revision
        let sections = try root.mapping([
            "version", "server", "aws", "stores", "local", "expires", "existence", "auth", "limits", "cors", "page",
            "lfs", "shares", "log", "presets", "groups", "rules", "deny", "audit", "metrics",
        ])
        if let node = sections["server"] { server.apply(node, &bodies, &shutdownDelay, &tls) }
        server.limits.bodyBytes = bodies.largest
        sections.read("existence", into: &existence, ExistenceConfiguration.init)
        let areTimeoutsAndTLSValid = root.mistakes.isEmpty
        _ = sections.required("version") { version in
            guard try version.integer() == 1 else { throw version.error("must be 1, the only supported version") }
        }
        sections.read("aws", into: &aws, CredentialConfiguration.init)
        sections.read("expires", into: &expires, ExpiryLimits.init)
        let mistakesBefore = root.mistakes.count
        sections.read("auth", into: &authentication, AuthenticationConfiguration.init)
        let issuers = root.mistakes.count == mistakesBefore ? authentication.issuers : nil
        sections.read("local", into: &local, LocalConfiguration.init)
        sections.read("limits", into: &limits, LimitsConfiguration.init)
        let callers = authentication
        sections.read("cors", into: &cors) { try CORSPolicy($0, callers) }
        sections.read("page", into: &page) { try PageConfiguration($0, issuers, languages: UploadPage.languages) }
        sections.read("log", into: &log, LogConfiguration.init)
        sections.read("audit", into: &audit, AuditConfiguration.init)
        sections.read("metrics", into: &metrics, MetricsConfiguration.init)
        let credentials = aws.selection
        stores = sections.required("stores") { try StoreConfiguration.list($0, credentials: credentials) } ?? []
        let names = sections.value("stores") { try $0.members().map(\.key) } ?? []
        sections.read("shares", into: &shares, ShareConfiguration.init)
        lfs = sections.value("lfs") { try LFSConfiguration($0, stores: names) }
        if areTimeoutsAndTLSValid {
            Self.check(existence, within: server.timeouts, authentication.certificates, with: tls, in: sections, root)
        }
        (policy, policyWarnings) = try AccessPolicy.compiled(
            sections,
            PolicyInputs(
                // If the default store is invalid, another replaces it, so that the rules are checked too.
                stores: stores.policies(of: names), defaultStore: stores.first(where: \.isDefault)?.name ?? names.first,
                // With the embedded storage an API key may be generated, so the set of callers is unknown.
                callers: local == nil ? Set(authentication.apiKeys.map { Array($0.id.utf8) }) : nil, expires: expires))
        callersPosition = (sections["auth"] ?? root).position
        rulesPosition = (sections["rules"] ?? root).position
    }

    /// Compares sections with each other.
    private static func check(
        _ existence: ExistenceConfiguration, within timeouts: HTTPTimeouts,
        _ certificates: ClientCertificateConfiguration?, with tls: TLSConfiguration?,
        in sections: ConfigurationMapping, _ root: ConfigurationNode
    ) {
        // Otherwise the client could get a timeout while the audit records an issued URL.
        if existence.timeout >= timeouts.response {
            let node = sections["existence"] ?? sections["server"] ?? root
            root.mistakes.add(
                ConfigurationError(node.position, "`existence.timeout` must be shorter than `server.timeouts.answer`"))
        }
        // TLS requests client certificates only if authorities are configured.
        if let certificates, tls?.clients == nil {
            root.mistakes.add(
                ConfigurationError(
                    certificates.position,
                    "`auth.mtls` needs `server.tls.clients`, the authorities of client certificates; add it"))
        }
    }
}

extension ServiceConfiguration {
    /// Returns the sections that differ from the configuration of the process's start and take effect only after a
    /// restart.
    package func sectionsNeedingRestart(after running: ServiceConfiguration) -> [String] {
        var other = running.server
        // Lower body limits apply at once, because each request checks them; the server's own limit cannot be raised.
        other.limits.bodyBytes = min(server.limits.bodyBytes, other.limits.bodyBytes)
        let hasServerChanged =
            server != other || shutdownDelay != running.shutdownDelay || (tls == nil) != (running.tls == nil)
        return [
            ("server", hasServerChanged),
            ("existence", existence != running.existence), ("log", log != running.log),
            ("audit", audit != running.audit), ("local", local != running.local),
            ("metrics", metrics != running.metrics),
        ].filter(\.1).map(\.0)
    }

    /// Restores the settings that need a restart and that a snapshot reads, so they match the running process.
    package mutating func keepBounds(of running: ServiceConfiguration) {
        existence = running.existence
        server.timeouts = running.server.timeouts
    }

    /// A summary of the configuration in a few lines.
    package var summary: [String] {
        let storage = local.map { "served locally at http://\($0.listen)" }
        let stores = stores.map { store in
            "store \(store.name)\(store.isDefault ? " (default)" : ""): "
                + (storage.map { "bucket \(store.bucket.name) \($0)" } ?? store.location)
                + ", region \(store.bucket.endpoint.region)"
        }
        let local = local.map { ["local storage: files under \($0.directory), on \($0.listen)"] } ?? []
        let metrics = metrics.listen.map { ["metrics on \($0)"] } ?? []
        return listenSummary + metrics + stores + local + policy.listingSummary + [
            "rules: \(policy.rules.count)", "API keys: \(authentication.apiKeys.count)",
            "token issuers: \(authentication.issuers.count)",
        ] + authentication.summary + [
            "guests: \(authentication.allowsGuests ? "allowed" : "refused")"
        ]
            + (cors.headers.isEmpty ? [] : ["pages may set: \(cors.headers.joined(separator: ", "))"])
            + (shares.keys.isEmpty ? [] : ["share links: keys \(shares.keys.map(\.id).joined(separator: ", "))"])
            + [pageSignIn].compactMap(\.self).map { signIn in
                "page: users sign in with \(signIn.issuerName); redirect URI: the page's address with a slash at its end"
            } + pageNotes
    }
}

extension ExistenceConfiguration {
    /// Reads the section `existence`.
    package init(_ node: ConfigurationNode) throws(ConfigurationError) {
        self.init()
        let keys = try node.mapping([
            "maximumInFlight", "maximumQueued", "connectTimeout", "timeout", "proxy", "caFile",
        ])
        let times: ClosedRange<Duration> = .milliseconds(10) ... .seconds(300)
        keys.read("maximumInFlight", into: &maximumInFlight) { try $0.integer(in: 1...10_000) }
        keys.read("maximumQueued", into: &maximumQueued) { try $0.integer(in: 0...100_000) }
        keys.read("connectTimeout", into: &connectTimeout) { try $0.duration(in: times) }
        keys.read("timeout", into: &timeout) { try $0.duration(in: times) }
        keys.read("proxy", into: &proxy) { node throws(ConfigurationError) in
            guard let proxy = Self.proxy(try node.string()) else {
                throw node.error("must be http://host:port or https://host:port, without a password or path")
            }
            return proxy
        }
        keys.read("caFile", into: &caFile) { try $0.string() }
    }
}

extension ServiceConfiguration {
    /// Whether an address uses TLS, by its index in `server.listen + server.plainListen`.
    package func speaksTLS(_ address: ListenAddress, at index: Int) -> Bool {
        tls != nil && index < server.listen.count && address.isTCP
    }

    /// The files whose content is part of the configuration, such as keys and certificates.
    package var files: [String] { authentication.files + shares.files + (tls?.files ?? []) }

    private var listenSummary: [String] {
        let clients = tls?.clients.map { ", client certificates \($0.isRequired ? "required" : "optional")" }
        return (server.listen + server.plainListen).enumerated().map { index, address in
            "listens on \(address)" + (speaksTLS(address, at: index) ? " (TLS\(clients ?? ""))" : "")
        }
    }
}
