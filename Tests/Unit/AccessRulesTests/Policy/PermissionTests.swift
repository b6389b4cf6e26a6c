import Requests
import TestSupport
import Testing

@testable import AccessRules
@testable import AccessRulesTestSupport
@testable import DataFormats
@testable import HTTP1
@testable import Presigning

@Suite("What a caller may do")
struct PermissionTests {
    private static let rules = """
        rules:
          - path: photos/{identity}/**
            allow:
              everyone: [get]
              owner: [get, write, delete, multipart]
              group:staff: {actions: [get, write], types: ["*/*"], maxSize: 9m, overrides: any, expires: {max: 1h}}
            write: {types: [image/*], maxSize: 1m, checksum: sha256, overwrite: false}
            expires: {default: 5m, max: 15m}
          - {path: photos/press/**, allow: {everyone: [list]}}
          - {path: free/**, allow: {authenticated: [get, write]}}
        deny:
          - {path: "photos/*/locked", actions: [write, delete]}
          - {path: "**/.*"}
        """

    private static func permissions(
        _ path: String, as caller: Caller = .guest, store: String? = nil
    ) throws -> [Permission] {
        try PolicyFixture.compile(rules).policy.permissions(of: caller, on: Array(path.utf8), in: store)
    }

    @Test(
        "The actions are those that a trial would not deny",
        arguments: [
            ("photos/alice/a", Caller.guest, [AccessAction.get]),
            ("photos/alice/a", PolicyFixture.user("alice"), [.get, .write, .delete, .multipart]),
            ("photos/alice/a", PolicyFixture.user("bob"), [.get]),
            ("photos/alice/a", PolicyFixture.user("bob", groups: ["staff"]), [.get, .write]),
            ("photos/alice/locked", PolicyFixture.user("alice"), [.get, .multipart]),
            ("photos/alice/.a", PolicyFixture.user("alice"), []), ("photos/press/a", .guest, []),
            ("free/a", .guest, []), ("free/a", PolicyFixture.user(nil), [.get, .write]), ("elsewhere", .guest, []),
        ])
    func actions(path: String, caller: Caller, actions: [AccessAction]) throws {
        #expect(try Self.permissions(path, as: caller).map(\.action) == actions)
    }

    @Test("A store without rules, or an unknown one, permits nothing", arguments: ["archive", "nowhere"])
    func stores(store: String) throws {
        #expect(try Self.permissions("photos/alice/a", store: store).isEmpty)
    }

    @Test("Each action has the limits that apply to it, and no others")
    func limits() throws {
        let alice = try Self.permissions("photos/alice/a", as: PolicyFixture.user("alice"))
        #expect(alice.allSatisfy { $0.defaultExpiry == 300 && $0.maximumExpiry == 900 })
        let limits = Dictionary(alice.map { ($0.action, $0.constraints) }) { first, _ in first }
        let write = try #require(limits[.write])
        #expect(write.types?.map(\.description) == ["image/*"] && write.maximumSize == 1 << 20)
        #expect(write.checksum == .sha256 && write.overwrite == false && write.overrides == nil)
        let multipart = try #require(limits[.multipart])
        #expect(multipart.types == write.types && multipart.overwrite == false && multipart.maximumSize == nil)
        #expect(multipart.checksum == .sha256)
        let get = try #require(limits[.get])
        #expect(get.types == nil && get.overwrite == nil && get.overrides == nil)
        var delete = AccessConstraints()
        (delete.defaultExpiry, delete.maximumExpiry) = (300, 900)
        #expect(limits[.delete] == delete)
    }

    @Test(
        "A prefix can only be listed, in a store that lists",
        arguments: [
            ("photos/press/", ["media"], true), ("photos/", ["media"], false), ("photos/press/", ["archive"], false),
        ] as [(String, Set<String>, Bool)])
    func listing(prefix: String, stores: Set<String>, isAllowed: Bool) throws {
        let policy = try PolicyFixture.compile(Self.rules, listing: stores).policy
        let rules = "rules: [{path: \"**\", allow: {everyone: [read, write]}}]"
        let open = try PolicyFixture.compile(rules, listing: stores).policy
        let permissions = { (policy: AccessPolicy) in
            try policy.permissions(of: .guest, on: Array(prefix.utf8), in: nil).map(\.action)
        }
        #expect(try permissions(open) == (stores.contains("media") ? [.list] : []))
        // The denial of names with a dot prevents every listing.
        #expect(try permissions(policy) == [])
        let withoutDenials = try PolicyFixture.compile(
            Self.rules.replacing(/deny:.*/.dotMatchesNewlines(), with: ""), listing: stores
        ).policy
        #expect(try permissions(withoutDenials) == (isAllowed ? [.list] : []))
    }

    @Test("Of several grants the one with the wider limits is reported, in any order of the grants")
    func widest() throws {
        let caller = PolicyFixture.user("alice", groups: ["staff"])
        for yaml in [
            Self.rules, Self.rules.replacing("everyone: [get]\n      owner: [get, write", with: "owner: [write"),
        ] {
            let policy = try PolicyFixture.compile(yaml).policy
            let permissions = try policy.permissions(of: caller, on: Array("photos/alice/a".utf8), in: nil)
            let write = try #require(permissions.first { $0.action == .write })
            #expect(write.constraints.maximumSize == 9 << 20 && write.maximumExpiry == 3600)
            #expect(permissions.first { $0.action == .get }?.constraints.overrides == .any)
        }
    }

    @Test("The service's limits on lifetimes cap the rule's")
    func expiry() throws {
        var service = ExpiryLimits()
        (service.default, service.max) = (200, 400)
        let rules =
            "rules: [{path: a, allow: {everyone: [get]}, expires: {default: 5m}}, {path: b, allow: {everyone: [get]}}]"
        let policy = try ConfigurationNode.read(Array(rules.utf8), file: "p.yaml") { root in
            try AccessPolicy.compiled(
                try root.mapping(["rules"]),
                PolicyInputs(stores: [.init("media")], defaultStore: "media", expires: service)
            ).policy
        }
        for (path, standard) in [("a", 300), ("b", 200)] as [(String, Int64)] {
            let permission = try #require(try policy.permissions(of: .guest, on: Array(path.utf8), in: nil).first)
            #expect(permission.defaultExpiry == standard && permission.maximumExpiry == 400)
        }
    }

    @Test(
        "An invalid path is refused as in a trial",
        arguments: ["/", "/a", "a//", "a//b", "a/../b", "a\\b", "a/%2e%2e/b"])
    func invalid(path: String) throws {
        let policy = try PolicyFixture.compile(Self.rules).policy
        let denial = #expect(throws: AccessDecision.Denial.self) {
            try policy.permissions(of: .guest, on: Array(path.utf8), in: nil)
        }
        let action: AccessAction = path.hasSuffix("/") ? .list : .get
        #expect(try policy.decision(for: PolicyFixture.request(path, action)) == .denied(#require(denial)))
    }

    @Test("Over random rules, permissions and trial agree", arguments: 1...12 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: seed))
        var (absent, admitted, limited, invalid) = (0, 0, 0, 0)
        for _ in 0..<20 {
            var naive = random.policy()
            // With one grant per rule the reported limits are the only ones.
            let isExact = random.one(of: [true, false])
            if isExact {
                for index in naive.rules.indices {
                    naive.rules[index].grants.removeLast(naive.rules[index].grants.count - 1)
                }
            }
            let policy = try PolicyFixture.compile(naive.yaml, listing: ["media"]).policy
            for _ in 0..<60 {
                var request = random.request().accessRequest
                if request.action == .list { request.path.append(UInt8(ascii: "/")) }
                let decision = policy.decision(for: request)
                let permissions: [Permission]
                do throws(AccessDecision.Denial) {
                    permissions = try policy.permissions(of: request.caller, on: request.path, in: request.store)
                } catch {
                    #expect(decision == .denied(error))
                    invalid += 1
                    continue
                }
                let comment = Comment("\(naive.yaml)\n\(request)")
                guard let permission = permissions.first(where: { $0.action == request.action }) else {
                    // A listing can fail by its lifetime before it reaches a key that the caller may not list.
                    let denials =
                        ["no-rule", "no-grant", "deny", "listing-off"] + (request.action == .list ? ["unmet"] : [])
                    #expect(denials.contains { decision.code == $0 || decision.code.hasPrefix($0 + ":") }, comment)
                    absent += 1
                    continue
                }
                #expect(["allowed", "unmet", "expiresIn"].contains(decision.code), comment)
                if permission.admits(request) {
                    #expect(decision.code == "allowed", comment)
                    admitted += 1
                } else {
                    #expect(!isExact || request.action == .list || decision.code != "allowed", comment)
                    limited += 1
                }
            }
        }
        #expect(absent > 0 && admitted > 0 && limited > 0 && invalid > 0)
    }
}

extension Permission {
    /// Whether the request is within the limits, as a client understands them.
    func admits(_ request: PresignRequest) -> Bool {
        let isUpload = request.action == .write
        if let types = constraints.types,
            isUpload || request.step == .create || (request.step == nil && request.contentType != nil)
        {
            guard let type = request.contentType, types.contains(where: { $0.contains(type) }) else { return false }
        }
        if let size = constraints.maximumSize, isUpload, request.contentLength ?? .max > size { return false }
        if request.action == .multipart, let partSize = constraints.partSize {
            let maximum = constraints.maximumSize ?? .max
            if request.step == .part {
                guard let number = request.partNumber, let length = request.contentLength else { return false }
                if length > partSize || (number - 1) * partSize + length > maximum { return false }
            } else if request.contentLength ?? 0 > maximum {
                return false
            }
        }
        if constraints.checksum != nil, isUpload || request.step == .part, request.checksum == nil { return false }
        if !constraints.contradictions(in: request.settings).isEmpty { return false }
        if !constraints.unaccepted(of: request.settings).isEmpty { return false }
        if request.versionId != nil, constraints.versions != true { return false }
        let overrides = constraints.overrides ?? .attachment
        if request.action == .get, !overrides.refused(of: request.responseOverrides).isEmpty { return false }
        return request.expiresIn.map { 1...maximumExpiry ~= $0 } ?? true
    }
}
