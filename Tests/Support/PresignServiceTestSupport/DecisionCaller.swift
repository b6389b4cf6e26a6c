import Requests
import TestSupport

@testable import AccessRulesTestSupport
@testable import CallerAuthentication
@testable import HTTPServerTestSupport

/// A caller as the independent interpreter, rule tests and the service know it.
struct DecisionCaller: Sendable {
    let who: NaivePolicy.Who?
    /// The member `who` of a rule test; nil for a guest.
    let description: [String: any Sendable]?
    /// Header lines with the credentials.
    let headers: [String]

    static let guest = DecisionCaller(who: nil, description: nil, headers: [])

    /// A guest, two API keys, and users of every combination of identity, groups and claim that rules can tell apart.
    static let all: [DecisionCaller] = {
        let users = ["a", "b", "red"].flatMap { identity in
            [[], ["b"], ["red"], ["a", "b", "red"]].flatMap { groups in
                [nil, "a", "red"].map { DecisionCaller(user: identity, groups: groups, claim: $0) }
            }
        }
        return [guest, key("k", identity: "a", groups: ["b", "red"]), key("plain", identity: "plain", groups: [])]
            + users
    }()

    private static func key(_ id: String, identity: String, groups: [String]) -> DecisionCaller {
        DecisionCaller(
            who: NaivePolicy.Who(identity: identity, groups: groups, key: id), description: ["caller": id],
            headers: ["X-API-Key: \(text(ofKey: id))"])
    }

    private init(who: NaivePolicy.Who?, description: [String: any Sendable]?, headers: [String]) {
        (self.who, self.description, self.headers) = (who, description, headers)
    }

    private init(user identity: String, groups: [String], claim: String?) {
        let claims = claim.map { ["t": $0] } ?? [:]
        let names = "[" + groups.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        let own = ["iss": "i", "sub": identity, "t": claim].compactMap { name, value in
            value.map { "\"\(name)\":\"\($0)\"" }
        }
        let token = TokenSigner.secret(Array(Self.secret.utf8)).token(
            "HS256", header: #"{"alg":"HS256"}"#,
            claims: "{\(own.joined(separator: ",")),\"aud\":\"a\",\"groups\":\(names),"
                + "\"exp\":\(TestClock.start + 86_400)}")
        self.init(
            who: NaivePolicy.Who(identity: identity, groups: groups, claims: claims),
            description: ["identity": identity, "groups": groups, "claims": claims],
            headers: ["Authorization: Bearer \(token)"])
    }

    private static let secret = String(repeating: "secret", count: 6)

    /// What the service reads besides its configuration.
    static let files = ["secret": secret]

    /// The section `auth` of a configuration with these callers.
    static let yaml = """
        auth:
          guest: true
          apiKeys: [\(entry("k", ", identity: a, groups: [b, red]")), \(entry("plain", ""))]
          jwt:
            - {name: i, issuer: i, audience: a, algorithms: [HS256], secretFile: secret,
               claims: {identity: sub, groups: groups, t: t}}
        """

    private static func entry(_ id: String, _ more: String) -> String {
        "{id: \(id)\(more), hashes: [\"\(APIKey.storedHash(of: text(ofKey: id).utf8))\"]}"
    }

    private static func text(ofKey id: String) -> String { "psk_\(id)_" + String(repeating: "K", count: 43) }
}
