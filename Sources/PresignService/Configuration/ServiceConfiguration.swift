package import AccessRules
package import CallerAuthentication
package import ConfigurationReading
import Cryptography
package import HTTP1
package import HTTPServer
import Presigning
package import StorageCredentials
package import Telemetry
import Text

/// Everything one configuration file says, read and checked; immutable.
package struct ServiceConfiguration: Sendable {
    /// Listeners, limits, time-outs.
    package var server = HTTPServerConfiguration.standard
    /// The files of TLS; nil: it is not spoken.
    package var tls: TLSConfiguration?
    /// How large requests may be.
    package var bodies = BodyLimits()
    /// Where credentials come from.
    package var aws = CredentialConfiguration()
    /// At least one; exactly one is the default.
    package var stores: [StoreConfiguration] = []
    /// How long URLs live.
    package var expires = ExpiryLimits()
    /// Bounds of the existence check.
    package var existence = ExistenceConfiguration()
    /// Who may call.
    package var authentication = AuthenticationConfiguration()
    /// How often callers may ask.
    package var limits = LimitsConfiguration()
    /// Which web pages may call.
    package var cors = CORSPolicy(origins: [], maxAge: 7200)
    /// What is logged.
    package var log = LogConfiguration()
    /// Where the audit goes.
    package var audit = AuditConfiguration()
    /// Where the metrics are.
    package var metrics = MetricsConfiguration()
    /// How long the service says that it is not ready before it stops to accept.
    package var shutdownDelay: Duration = .zero
    /// Who may do what.
    package var policy: AccessPolicy
    /// Whether the upload page is served at `/`.
    package var servesPage: Bool { page ?? (local != nil) }
    private var page: Bool?
    /// The embedded storage, which stands in for every store.
    package var local: LocalConfiguration?
    /// The beginning of the SHA-256 of the file, in hexadecimal: tells one edition of it from another.
    package let revision: String
    private(set) var policyWarnings: [ConfigurationError] = []
    /// Where the sections of callers and of rules stand, or the file if there are none.
    let callersPosition, rulesPosition: SourcePosition

    /// True when somebody can call.
    package var hasCallers: Bool { authentication.admitsCallers }

    /// Reads the file's bytes.
    ///
    /// - Parameters:
    ///   - yaml: the file's content, UTF-8.
    ///   - file: its name, for positions in errors.
    /// - Throws: `ConfigurationError` with line and column for the first mistake, and all others in its `further`.
    package init(parsing yaml: [UInt8], file: String) throws(ConfigurationError) {
        let revision = Hexadecimal.encode(Array(SHA256.hash(yaml).bytes.prefix(6)))
        self = try ConfigurationNode.read(yaml, file: file) { try ServiceConfiguration($0, revision: revision) }
    }

    private init(_ root: ConfigurationNode, revision: String) throws(ConfigurationError) {
        self.revision = revision
        let sections = try root.mapping([
            "version", "server", "aws", "stores", "local", "expires", "existence", "auth", "limits", "cors", "page",
            "log", "presets", "groups", "rules", "deny", "audit", "metrics",
        ])
        _ = root.mistakes.collect(at: root) { _ in
            let version = try sections.required("version")
            guard try version.integer() == 1 else { throw version.error("must be 1, the only version there is") }
        }
        sections.read("aws", into: &aws, CredentialConfiguration.init)
        sections.read("expires", into: &expires, ExpiryLimits.init)
        sections.read("auth", into: &authentication, AuthenticationConfiguration.init)
        sections.read("local", into: &local, LocalConfiguration.init)
        if let node = sections["server"] { server.apply(node, &bodies, &shutdownDelay, &tls) }
        server.limits.bodyBytes = bodies.largest
        sections.read("existence", into: &existence, ExistenceConfiguration.init)
        sections.read("limits", into: &limits, LimitsConfiguration.init)
        sections.read("cors", into: &cors, CORSPolicy.init)
        sections.read("page", into: &page) { try $0.boolean() }
        sections.read("log", into: &log, LogConfiguration.init)
        sections.read("audit", into: &audit, AuditConfiguration.init)
        sections.read("metrics", into: &metrics, MetricsConfiguration.init)
        let storesNode = try sections.required("stores")
        stores = try StoreConfiguration.list(storesNode, credentials: aws.selection)
        let names = try storesNode.members().map(\.key)
        (policy, policyWarnings) = try AccessPolicy.compiled(
            rules: sections["rules"], deny: sections["deny"], presets: sections["presets"], groups: sections["groups"],
            // After a mistake in the default store another one stands in, so that the rules are checked too.
            stores: names, defaultStore: stores.first(where: \.isDefault)?.name ?? names.first,
            // The embedded storage makes a key of its own.
            callers: local == nil ? Set(authentication.apiKeys.map { Array($0.id.utf8) }) : nil,
            prefixLengths: stores.prefixLengths, expires: expires)
        callersPosition = (sections["auth"] ?? root).position
        rulesPosition = (sections["rules"] ?? root).position
        try root.mistakes.check()
        try checkSectionsTogether(sections, root)
    }

    /// What one section must not say because of another; checked when each by itself is valid.
    private func checkSectionsTogether(
        _ sections: ConfigurationMapping, _ root: ConfigurationNode
    ) throws(ConfigurationError) {
        // Clients are asked for a certificate only if their authorities are known.
        if let certificates = authentication.certificates, tls?.clients == nil {
            throw ConfigurationError(
                certificates.position, "`auth.mtls` needs `server.tls.clients`, which names the authorities; add it")
        }
        // Else a client could be told of a time-out, and the audit of a URL.
        guard existence.timeout < server.timeouts.answer else {
            throw (sections["existence"] ?? sections["server"] ?? root).error(
                "`existence.timeout` must be shorter than `server.timeouts.answer`")
        }
    }
}

extension ServiceConfiguration {
    /// The sections in which this configuration differs from the one a process started with, and that take effect only
    /// when it starts again.
    package func sectionsNeedingRestart(after running: ServiceConfiguration) -> [String] {
        var other = running.server
        // Lower limits of bodies are looked up for each request; the server itself lets no more through than at its start.
        other.limits.bodyBytes = min(server.limits.bodyBytes, other.limits.bodyBytes)
        let isOtherServer =
            server != other || shutdownDelay != running.shutdownDelay || (tls == nil) != (running.tls == nil)
        return [
            ("server", isOtherServer),
            ("existence", existence != running.existence), ("log", log != running.log),
            ("audit", audit != running.audit), ("local", local != running.local),
            ("metrics", metrics != running.metrics),
        ].filter(\.1).map(\.0)
    }

    /// Takes back what a new snapshot would count on and this process does not have: it goes on as it has started.
    package mutating func keepBounds(of running: ServiceConfiguration) {
        existence = running.existence
        server.timeouts = running.server.timeouts
    }

    /// What was configured, in a few lines for a person.
    package var summary: [String] {
        let storage = local.map { "served locally at http://\($0.listen)" }
        let stores = stores.map { store in
            let endpoint = store.bucket.endpoint
            let place = storage ?? "at \(endpoint.scheme)://\(endpoint.host)"
            return "store \(store.name)\(store.isDefault ? " (default)" : ""): bucket \(store.bucket.name) \(place),"
                + " region \(endpoint.region)"
        }
        let local = local.map { ["local storage: files under \($0.directory), on \($0.listen)"] } ?? []
        let metrics = metrics.listen.map { ["metrics on \($0)"] } ?? []
        return listenSummary + metrics + stores + local + [
            "rules: \(policy.rules.count)", "API keys: \(authentication.apiKeys.count)",
            "issuers of tokens: \(authentication.issuers.count)",
            "guests: \(authentication.allowsGuests ? "welcome" : "refused")",
        ]
    }
}

extension ServiceConfiguration {
    /// Whether TLS is spoken at one of `server.listen` and, behind these, `server.plainListen`.
    package func speaksTLS(_ address: ListenAddress, at index: Int) -> Bool {
        tls != nil && index < server.listen.count && address.isTCP
    }

    /// The files that the configuration names and whose content belongs to it.
    package var files: [String] { authentication.files + (tls?.files ?? []) }

    private var listenSummary: [String] {
        let clients = tls?.clients.map { ", clients \($0.isRequired ? "must" : "may") have certificates" }
        return (server.listen + server.plainListen).enumerated().map { index, address in
            "listens on \(address)" + (speaksTLS(address, at: index) ? " (TLS\(clients ?? ""))" : "")
        }
    }
}
