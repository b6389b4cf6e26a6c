import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import DataFormats
@testable import Presigning

/// One case of `rules.json`: a request against `rules-policy.yaml` and the expected decision.
struct RuleCase: CustomTestStringConvertible, Sendable {
    let name: String
    let request: PresignRequest
    let expected: JSONValue

    var testDescription: String { name }

    static let policy: Result<AccessPolicy, any Error> = Result {
        try ConfigurationNode.read(try Repository.bytes(of: "Tests/Cases/rules-policy.yaml"), file: "rules-policy.yaml")
        { root in
            let sections = try root.mapping(["rules", "deny"])
            return try AccessPolicy.compiled(
                sections, PolicyInputs(stores: [.init("media"), .init("archive")], defaultStore: "media")
            ).policy
        }
    }

    static let all: [RuleCase] = {
        guard let bytes = try? Repository.bytes(of: "Tests/Cases/rules.json"),
            case .array(let items)? = try? JSONValue(parsing: bytes, limits: JSONLimits(size: 1 << 20))
        else { return [] }
        return items.compactMap(RuleCase.init)
    }()

    private init?(_ value: JSONValue) {
        guard let name = value["name"]?.text, let request = value["request"], let expected = value["expect"],
            let action = AccessAction.allCases.first(where: { $0.name == request["action"]?.text }),
            let path = request["path"]?.string, let who = request["who"]
        else { return nil }
        self.name = name
        self.expected = expected
        var declared = PresignRequest(
            caller: Self.caller(who), action: action, path: path, store: request["store"]?.text)
        declared.contentType = request["contentType"]?.text
        declared.contentLength = request["contentLength"]?.integer
        declared.expiresIn = request["expiresIn"]?.integer
        if request["checksum"]?.text?.hasPrefix("sha256:") ?? false { declared.declare(.sha256) }
        self.request = declared
    }

    private static func caller(_ who: JSONValue) -> Caller {
        if who == .null { return .guest }
        if let id = who["caller"]?.text { return Caller(apiKeyID: id, identity: who["identity"]?.text) }
        var groups: [String] = []
        if case .array(let items)? = who["groups"] { groups = items.compactMap(\.text) }
        var claims: [Caller.Claim] = []
        if case .object(let members)? = who["claims"] {
            // A claim that is not a string never matches, so it is dropped.
            for member in members {
                guard let value = member.value.text else { continue }
                claims.append(.init(name: String(decoding: member.name, as: UTF8.self), value: value))
            }
        }
        return Caller(scheme: .jwt, identity: who["identity"]?.text, groups: groups, claims: claims)
    }
}

extension JSONValue {
    fileprivate var text: String? { string.map { String(decoding: $0, as: UTF8.self) } }
}
