import Presigning
import TestSupport

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// What is valid at one time: a configuration and credentials. Each reload and each renewal of the credentials begins
/// another one.
struct Epoch {
    let rules: NaivePolicy
    /// Whether the API key `k` is disabled.
    let isKeyDisabled: Bool
    var credentials: Credentials?

    /// Credentials with less life than this are not used, in seconds.
    static let minRemaining = 60

    /// A random configuration with the same credentials.
    init(_ random: inout RandomPolicy, credentials: Credentials?) {
        var rules = random.policy()
        (rules.serviceDefault, rules.serviceMax) = random.one(of: [(550, 850), (300, 900)])
        // Without it, most requests would be refused.
        if random.one(of: [true, true, false]), !rules.rules.contains(where: { $0.path == ["**"] }) {
            let actions = ["get", "write", "delete", "multipart"]
            let grant = NaivePolicy.Grant(grantee: "everyone", actions: actions, limits: NaivePolicy.Limits())
            let bounded = NaivePolicy.Limits(maxSize: 11 << 20, partSize: 5 << 20)
            let limits = random.one(of: [NaivePolicy.Limits(), bounded])
            rules.rules.append(NaivePolicy.Rule(store: "media", path: ["**"], limits: limits, grants: [grant]))
        }
        self.rules = rules
        self.credentials = credentials
        isKeyDisabled = random.one(of: [true, false, false])
    }

    var yaml: String {
        let auth = DecisionCaller.yaml
        return """
            version: 1
            server:
              listen: "127.0.0.1:0"
              loops: 1
              limits: {inFlight: 3, bufferedBytes: 64k, bufferedAnswers: 4k}
              timeouts: {header: 10s, body: 10s, answer: 20s, write: 10s, idle: 30s, linger: 2s}
            audit: {to: stdout}
            aws: {credentials: environment, minRemaining: \(Self.minRemaining)s}
            stores:
              media: {bucket: one, region: eu-west-1, default: true}
              archive: {bucket: two, region: eu-west-1, prefix: a-long-prefix/}
            expires: {default: \(rules.serviceDefault)s, max: \(rules.serviceMax)s}
            \(isKeyDisabled ? auth.replacing("{id: k,", with: "{id: k, disabled: true,") : auth)
            \(rules.yaml)
            """
    }

    /// What the independent interpreter decides.
    func verdict(on request: DecisionRequest) -> NaivePolicy.Verdict {
        if isKeyDisabled, request.caller.who?.key == "k" { return NaivePolicy.Verdict(status: 401) }
        return rules.verdict(on: request.naive)
    }
}
