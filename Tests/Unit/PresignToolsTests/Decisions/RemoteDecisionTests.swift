import Foundation
import SocketTestSupport
import TestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport

/// Remote signing for Apache Iceberg beside `POST /presign` and the independent interpreter.
@Suite("Remote signing decides as every other door")
struct RemoteDecisionTests {
    private static let count = 1_000

    @Test("A thousand random requests, a third of them allowed, get the decision of POST /presign")
    func same() throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 201))
        var (allowed, refused) = (0, 0)
        var kinds: Set<String> = [], headers: Set<String> = []
        while allowed + refused < Self.count {
            let rules = random.policy()
            let policy = try DecisionPolicy(
                random.one(of: [rules, rules.changing { $0.accept = ["storageClass", "acl"] }]), longest: 900)
            for _ in 0..<50 {
                guard
                    let decision = RemoteDecision(DecisionRequest(&random), isCreation: random.one(of: [true, false]))
                else { continue }
                let verdict = policy.naive.verdict(on: decision.naive)
                let status = decision.status(for: verdict)
                // So that a third is allowed.
                if status != 200, refused >= 2 * allowed { continue }
                try policy.compare(decision, expecting: status)
                if status == 200 { allowed += 1 } else { refused += 1 }
                if status == 200 { headers.formUnion(decision.question.headers.keys) }
                if status == 200 { kinds.insert(decision.kind) }
            }
            try policy.compareDeletion(&random)
        }
        #expect(allowed * 3 >= allowed + refused, "\(allowed) of \(allowed + refused)")
        #expect(kinds == ["get", "write", "delete", "create", "part", "list", "complete", "abort"])
        let all: Set = [
            "content-type", "content-length", "x-amz-mp-object-size", "x-amz-checksum-sha256", "x-amz-storage-class",
            "cache-control", "x-amz-acl", "if-none-match", "x-amz-checksum-algorithm",
        ]
        #expect(headers == all, "\(headers)")
    }

    @Test("Listings, and deletions without their keys, are allowed only for every key")
    func prefixes() throws {
        var random = RandomPolicy(generator: SeededGenerator(seed: 301))
        var (listings, deletions): (Set<Int>, Set<Int>) = ([], [])
        for _ in 0..<60 {
            let action = random.one(of: ["list", "delete"])
            var rules = random.listingPolicy(granting: action)
            // Few random policies grant it for every key.
            if action == "delete", random.one(of: [true, false]) {
                let grant = NaivePolicy.Grant(grantee: "everyone", actions: [action], limits: .init())
                rules.rules = [.init(store: "media", path: ["**"], limits: .init(), grants: [grant])]
            }
            // Of many limits one is often shorter than a signature in `Authorization`.
            let longest: Int64? = random.one(of: [nil, nil, 600])
            let policy = try DecisionPolicy(
                action == "delete" ? rules.changing { $0.max = longest } : rules, longest: 900)
            for _ in 0..<2 { listings.insert(try policy.compareRemoteListing(&random)) }
            deletions.insert(try policy.compareDeletionOfAll(&random))
        }
        #expect(
            listings.isSuperset(of: [200, 403]) && deletions.isSuperset(of: [200, 403]), "\(listings), \(deletions)")
    }
}

extension NaivePolicy {
    /// The policy with other limits in all rules and grants.
    fileprivate func changing(_ change: (inout Limits) -> Void) -> NaivePolicy {
        var other = self
        for rule in other.rules.indices {
            change(&other.rules[rule].limits)
            for grant in other.rules[rule].grants.indices { change(&other.rules[rule].grants[grant].limits) }
        }
        return other
    }
}

extension DecisionPolicy {
    private func sign(_ question: RemoteQuestion, in store: String, _ caller: DecisionCaller) throws -> RawResponse {
        try service.post("/iceberg/\(store)/sign", try question.json, as: nil, caller.headers).response
    }

    /// The status of `POST /presign` with these members, and the headers that its URL needs.
    private func presign(
        _ members: [String: any Sendable], _ caller: DecisionCaller
    ) throws -> (status: Int, headers: [String: String]) {
        let response = try service.exchange(presignRequest(try DecisionRequest.json(members), key: nil, caller.headers))
        return (response.status, response.status == 200 ? try response.presigned().headers : [:])
    }

    func compare(_ decision: RemoteDecision, expecting status: Int) throws {
        let response = try sign(decision.question, in: decision.store, decision.caller)
        let comment = Comment("\(decision.question) by \(decision.caller): \(response.text)\n\(yaml)")
        try #require(response.status == status, comment)
        let presigned = try presign(decision.members, decision.caller)
        let missing = presigned.headers.filter { decision.question.headers[$0.key] != [$0.value] }
        let same = presigned.status == 200 && !missing.isEmpty ? 422 : presigned.status
        try #require(response.status == (decision.caller.who == nil ? 401 : same), comment)
        guard status == 200 else { return }
        let answer = try RemoteAnswer(response)
        try #require(answer.items["X-Amz-Expires"] == "60" && answer.headers.isEmpty, comment)
        try #require(Set(answer.signedHeaders) == Set(presigned.headers.keys).union(["host"]), comment)
    }

    /// Compares the deletion of up to three objects with single ones.
    func compareDeletion(_ random: inout RandomPolicy) throws {
        let caller = random.one(of: DecisionCaller.all)
        let keys = (0..<random.one(of: [1, 2, 3])).map { _ in random.request().path.joined(separator: "/") }
        let store = random.one(of: ["media", "archive"])
        let prefix = store == "archive" ? "a-long-prefix/" : ""
        let url = "https://\(store == "archive" ? "two" : "one").s3.eu-west-1.amazonaws.com/?delete"
        let question = RemoteQuestion("POST", url, body: RemoteQuestion.document(keys.map { prefix + $0 }))
        let response = try sign(question, in: store, caller)
        let statuses = try keys.map { key in
            try presign(["path": key, "store": store, "method": "DELETE", "expiresIn": 900], caller).status
        }
        let expected = caller.who == nil ? 401 : statuses.first { $0 != 200 } ?? 200
        try #require(response.status == expected, "\(question) by \(caller): \(response.text) \(statuses)\n\(yaml)")
    }

    /// Compares a listing with that of `POST /presign`.
    ///
    /// - Returns: the status.
    func compareRemoteListing(_ random: inout RandomPolicy) throws -> Int {
        let caller = random.one(of: DecisionCaller.all)
        let prefix = random.one(of: ["", "a/", "b/", "red/", "z/", "a/b/", "red/a/"])
        let store = random.one(of: ["media", "archive"])
        let address = RemoteDecision.addresses[store] ?? ""
        let parts = address.split(separator: "/", maxSplits: 2)
        let start = parts.count > 2 ? String(parts[2]) : ""
        let url = "https://\(parts[1])/?list-type=2&encoding-type=url&prefix=\(start)\(prefix)"
        let response = try sign(RemoteQuestion("GET", url), in: store, caller)
        let status = try presign(["prefix": prefix, "store": store], caller).status
        try #require(
            response.status == (caller.who == nil ? 401 : status), "\(url) by \(caller): \(response.text)\n\(yaml)")
        return response.status
    }

    /// Compares a deletion without its keys with the decisions of the interpreter on all keys.
    ///
    /// - Returns: the status.
    func compareDeletionOfAll(_ random: inout RandomPolicy) throws -> Int {
        let caller = random.one(of: DecisionCaller.all)
        let question = RemoteQuestion("POST", "https://one.s3.eu-west-1.amazonaws.com/?delete")
        let response = try sign(question, in: "media", caller)
        let mayDelete = naive.may("delete", every: [], in: "media", caller.who, for: 900)
        let isAllowed = response.status == 200
        try #require(isAllowed == (mayDelete && caller.who != nil), "\(caller): \(response.text)\n\(yaml)")
        let archive = try sign(
            RemoteQuestion("POST", "https://two.s3.eu-west-1.amazonaws.com/?delete"), in: "archive", caller)
        try #require(archive.status == (caller.who == nil ? 401 : 400), "\(archive.text)")
        return response.status
    }
}
