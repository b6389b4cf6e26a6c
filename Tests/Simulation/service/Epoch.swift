import PresignService
import Presigning
import Requests
import StorageCredentials

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// What is valid at one time: a configuration and credentials. Each reload and each renewal of credentials begins
/// another one.
struct Epoch {
    let rules: NaivePolicy
    /// Whether the API key `k` is disabled.
    let isKeyDisabled: Bool
    /// Whether tokens of the party `app` are refused.
    let isPartyRemoved: Bool
    let shares: ShareSettings
    /// The credentials that snapshots use, by their source; none for a source without credentials.
    var credentials: [CredentialSelection: Credentials] = [:]
    /// The source of the store `media`, and those of `archive`.
    private let media: CredentialSelection
    private let archive: PerRole<CredentialSelection>

    /// Credentials with less life than this are not used, in seconds.
    static let minRemaining = 60

    /// A random configuration.
    ///
    /// - Parameters:
    ///   - last: the configuration before, whose rules often stay; nil at first.
    ///   - links: the share links that exist.
    init(_ random: inout RandomPolicy, after last: Epoch?, _ links: [ShareLink]) {
        let rules = Self.rules(&random)
        self.rules = random.one(of: [last?.rules, nil]) ?? rules
        isKeyDisabled = random.one(of: [true, false, false, false])
        isPartyRemoved = random.one(of: [true, false, false, false])
        shares = ShareSettings(&random, after: last?.shares, links)
        media = random.one(of: [.imds, .imds, .container, .environment])
        archive = PerRole(read: random.one(of: [.container, .imds]), write: .webIdentity)
    }

    private static func rules(_ random: inout RandomPolicy) -> NaivePolicy {
        var rules = random.policy()
        (rules.serviceDefault, rules.serviceMax) = random.one(of: [(550, 850), (300, 900)])
        // Without it, most requests would be refused.
        if random.one(of: [true, true, false]), !rules.rules.contains(where: { $0.path == ["**"] }) {
            let actions = ["get", "list", "write", "delete", "multipart"]
            let grant = NaivePolicy.Grant(grantee: "everyone", actions: actions, limits: NaivePolicy.Limits())
            let bounded = NaivePolicy.Limits(maxSize: 11 << 20, partSize: 5 << 20)
            let limits = random.one(of: [NaivePolicy.Limits(), bounded])
            rules.rules.append(NaivePolicy.Rule(store: "media", path: ["**"], limits: limits, grants: [grant]))
        }
        if random.one(of: [true, true, false]) { rules.denials = [] }
        random.addShares(to: &rules)
        return rules
    }

    var yaml: String {
        let auth = DecisionCaller.yaml.replacing("[app]", with: isPartyRemoved ? "[other]" : "[app]")
        let options = "region: eu-west-1, links: true, listing: true, iceberg: true"
        return """
            version: 1
            server:
              listen: "127.0.0.1:0"
              loops: 1
              limits: {inFlight: 3, bufferedBytes: 64k, bufferedAnswers: 4k}
              timeouts: {header: 10s, body: 10s, answer: 20s, write: 10s, idle: 30s, linger: 2s}
            audit: {to: stdout}
            aws: {minRemaining: \(Self.minRemaining)s}
            stores:
              media: {bucket: one, \(options), default: true, credentials: \(media)}
              archive: {bucket: two, \(options), prefix: a-long-prefix/,
                        credentials: {read: \(archive.read), write: \(archive.write)}}
            expires: {default: \(rules.serviceDefault)s, max: \(rules.serviceMax)s}
            \(isKeyDisabled ? auth.replacing("{id: k,", with: "{id: k, disabled: true,") : auth)
            \(shares.yaml)
            \(rules.yaml)
            """
    }

    /// The configuration as the service reads it.
    func configuration() throws -> ServiceConfiguration {
        try ServiceConfiguration(parsing: Array(yaml.utf8), file: "simulated.yaml")
    }

    /// The sources that the stores use.
    var sources: Set<CredentialSelection> { [media, archive.read, archive.write] }

    /// The source of the credentials that sign the request.
    func source(of request: NaivePolicy.Request) -> CredentialSelection {
        guard request.store == "archive" else { return media }
        return ["get", "list"].contains(request.action) ? archive.read : archive.write
    }

    /// Whether the caller's credentials are refused.
    func rejects(_ who: NaivePolicy.Who?) -> Bool {
        endsLinks(of: who) || (isPartyRemoved && who?.isOfAuthorizedParty == true)
    }

    /// Whether the caller's share links have ended. Those of a token outlive it.
    func endsLinks(of who: NaivePolicy.Who?) -> Bool { isKeyDisabled && who?.key == "k" }

    /// What the independent interpreter decides.
    func verdict(on request: NaivePolicy.Request) -> NaivePolicy.Verdict {
        if case .use? = request.share { return rules.verdict(on: request) }
        return rejects(request.who) ? NaivePolicy.Verdict(status: 401) : rules.verdict(on: request)
    }
}
