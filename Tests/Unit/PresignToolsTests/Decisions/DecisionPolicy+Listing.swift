import Foundation
import Requests
import SocketTestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport
@testable import PresignTools

extension DecisionPolicy {
    /// Compares one listing with the decisions of the interpreter on the keys below its prefix.
    ///
    /// - Returns: the status.
    func compareListing(_ random: inout RandomPolicy) throws -> Int {
        let caller = random.one(of: DecisionCaller.all)
        let prefix = random.one(of: [[], ["a"], ["b"], ["red"], ["z"], ["a", "b"], ["red", "a"], ["b", "z", "c"]])
        let store = random.one(of: ["media", "archive"])
        let text = prefix.map { $0 + "/" }.joined()
        let isAllowed = naive.mayList(every: prefix, in: store, caller.who)
        let body = try DecisionRequest.json(["prefix": text, "store": store])
        let response = try service.exchange(presignRequest(body, key: nil, caller.headers))
        let refused = caller.who == nil ? 401 : 403
        let comment = Comment("\(body) by \(caller): \(response.text)\n\(yaml)")
        try #require(response.status == (isAllowed ? 200 : refused), comment)
        let batch = try service.exchange(batchRequest([body], key: nil, caller.headers)).batch()
        try #require(batch.statuses == [response.status], comment)
        let members: [String: any Sendable] = [
            "who": caller.description ?? NSNull(), "action": "list", "path": text, "store": store,
        ]
        let question = try RuleQuestion(parsing: Array(try DecisionRequest.json(members).utf8)[...])
        try #require(file.verdict(on: question.request).status == response.status, comment)
        return response.status
    }

    /// Compares the folders at which a caller can start with those that the interpreter finds by trying all.
    ///
    /// - Returns: their number.
    func compareRoots(_ random: inout RandomPolicy) throws -> Int {
        let caller = random.one(of: DecisionCaller.all)
        let store = random.one(of: ["media", "archive"])
        let response = try service.get("/permissions?store=\(store)", as: nil, caller.headers).response
        let body = try JSONDecoder().decode(RootsBody.self, from: Data(response.body))
        // Guests see none unless the configuration says so.
        let expected = caller.who == nil ? [] : naive.roots(in: store, caller.who)
        let comment = Comment("\(store) by \(caller): \(response.text)\n\(yaml)")
        try #require(body.roots == expected && body.rootsTruncated == nil, comment)
        return expected.count
    }
}
