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
    /// The caller's name in the log.
    let label: String

    static let guest = DecisionCaller(who: nil, description: nil, headers: [], label: "guest")

    /// How a user's identity and groups arrive; the value is how the user's name in the log begins.
    private enum Way: String, CaseIterable {
        /// An array of groups in a token for an audience.
        case array = "jwt:i"
        /// A scope in a token of an authorized party, without an audience.
        case scope = "jwt:s"
        /// Groups between semicolons in the access token of a client, in a header that a proxy sets.
        case header = "jwt:h"
        /// The headers of a trusted proxy.
        case proxy
    }

    /// A guest, two API keys, and users of every combination of identity, groups and claim that rules can tell apart.
    static let all: [DecisionCaller] = {
        let users = ["a", "b", "red"].flatMap { identity in
            [[], ["b"], ["red"], ["a", "b", "red"]].flatMap { groups in
                [nil, "a", "red"].map { (identity: identity, groups: groups, claim: $0) }
            }
        }.enumerated().map { index, user in
            var way = Way.allCases[index % Way.allCases.count]
            // A proxy sends no claims.
            if way == .proxy, user.claim != nil { way = .scope }
            return DecisionCaller(user: user.identity, groups: user.groups, claim: user.claim, way)
        }
        return [guest, key("k", identity: "a", groups: ["b", "red"]), key("plain", identity: "plain", groups: [])]
            + users
    }()

    private static func key(_ id: String, identity: String, groups: [String]) -> DecisionCaller {
        DecisionCaller(
            who: NaivePolicy.Who(identity: identity, groups: groups, key: id), description: ["caller": id],
            headers: ["X-API-Key: \(text(ofKey: id))"], label: "caller:\(id)")
    }

    private init(who: NaivePolicy.Who?, description: [String: any Sendable]?, headers: [String], label: String) {
        (self.who, self.description, self.headers, self.label) = (who, description, headers, label)
    }

    private init(user identity: String, groups: [String], claim: String?, _ way: Way) {
        let claims = claim.map { ["t": $0] } ?? [:]
        let own = #""sub":"\#(identity)""# + (claim.map { #","t":"\#($0)""# } ?? "")
        let headers =
            switch way {
            case .array:
                [
                    "Authorization: Bearer "
                        + Self.token(
                            #""iss":"i","aud":"a","groups":[\#(groups.map { "\"\($0)\"" }.joined(separator: ","))]"#,
                            own)
                ]
            case .scope:
                // Empty pieces are dropped.
                [
                    "Authorization: Bearer "
                        + Self.token(#""iss":"s","azp":"app","scope":" \#(groups.joined(separator: "  "))""#, own)
                ]
            case .header:
                [
                    "X-User-Token: "
                        + Self.token(
                            #""iss":"h","client_id":"c","groups":"\#(groups.joined(separator: ";; "))""#, own,
                            header: #"{"alg":"HS256","typ":"at+jwt"}"#)
                ]
            case .proxy:
                ["X-Secret: \(Self.secret)", "X-User: \(identity)"]
                    + (groups.isEmpty ? [] : ["X-Groups: |\(groups.joined(separator: "|"))|"])
            }
        self.init(
            who: NaivePolicy.Who(
                identity: identity, groups: groups, claims: claims, isOfAuthorizedParty: way == .scope),
            description: ["identity": identity, "groups": groups, "claims": claims], headers: headers,
            label: "\(way.rawValue):\(identity)")
    }

    private static func token(_ claims: String, _ own: String, header: String = #"{"alg":"HS256"}"#) -> String {
        TokenSigner.secret(Array(secret.utf8)).token(
            "HS256", header: header, claims: #"{\#(claims),\#(own),"exp":\#(TestClock.start + 86_400)}"#)
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
            - {name: i, issuer: i, audience: a, \(issuer("groups"))}
            - {name: s, issuer: s, authorizedParties: [app], \(issuer("scope"))}
            - {name: h, issuer: h, clientIDs: [c], header: X-User-Token, separator: ";", \(issuer("groups"))}
          proxy: {from: ["0.0.0.0/0", "::/0", unix], secretHeader: X-Secret, secretFile: secret, identity: X-User,
                  groups: X-Groups, separator: "|"}
        """

    private static func issuer(_ groups: String) -> String {
        "algorithms: [HS256], secretFile: secret, claims: {identity: sub, groups: \(groups), t: t}"
    }

    private static func entry(_ id: String, _ more: String) -> String {
        "{id: \(id)\(more), hashes: [\"\(APIKey.storedHash(of: text(ofKey: id).utf8))\"]}"
    }

    private static func text(ofKey id: String) -> String { "psk_\(id)_" + String(repeating: "K", count: 43) }
}
