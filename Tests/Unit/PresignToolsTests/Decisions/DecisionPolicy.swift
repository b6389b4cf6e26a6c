import AccessRules
import Foundation
import Requests
import SocketTestSupport
import Testing

@testable import AccessRulesTestSupport
@testable import PresignServiceTestSupport
@testable import PresignTools

/// A policy in the independent interpreter, in `explain` and rule tests, and in the service.
struct DecisionPolicy {
    let naive: NaivePolicy
    let yaml: String
    let file: PolicyFile
    let service: TestService

    /// - Parameter longest: the longest lifetime of a URL, in seconds.
    init(_ rules: NaivePolicy, longest: Int64 = 850) throws {
        var naive = rules
        (naive.serviceDefault, naive.serviceMax) = (550, longest)
        self.naive = naive
        yaml = """
            version: 1
            server: {listen: "127.0.0.1:0", loops: 1}
            log: {requests: false}
            stores:
              media: {bucket: one, region: eu-west-1, default: true, links: true, listing: true, iceberg: true}
              archive: {bucket: two, region: eu-west-1, prefix: a-long-prefix/, links: true, listing: true, iceberg: true}
            expires: {default: \(naive.serviceDefault)s, max: \(naive.serviceMax)s}
            \(DecisionCaller.yaml)
            \(naive.yaml)
            """
        file = try PolicyFile(parsing: Array(yaml.utf8), file: "p.yaml")
        service = try TestService(yaml, files: DecisionCaller.files)
    }

    /// Compares all decisions on the requests with those of the interpreter.
    func compare(_ requests: [DecisionRequest], _ seen: inout DecisionTally) throws {
        let verdicts = requests.map { naive.verdict(on: $0.naive) }
        try compareRuleTests(requests, verdicts)
        try compareBatches(requests, verdicts)
        for (request, verdict) in zip(requests, verdicts) {
            let comment = Comment("\(try request.json) by \(request.caller)\n\(verdict)\n\(yaml)")
            try compareExplanation(request, verdict, comment)
            let response = try service.exchange(
                presignRequest(try request.json, key: nil, request.caller.headers))
            let answer = try DecisionAnswer(response)
            try #require(answer.agrees(with: verdict, of: request.naive), "\(response.text)\n\(comment)")
            if let link = request.link {
                try compare(link: link, request, verdict, comment)
                seen.links += 1
            }
            for upload in [true, false].compactMap({ LinkUpload(request, isCreation: $0) }) {
                try compare(upload: upload, request, verdict, comment)
                seen.uploads += 1
            }
            try comparePermissions(request, comment, &seen)
            seen.statuses.insert(verdict.status)
        }
        seen.requests += requests.count
    }

    private func compareExplanation(
        _ request: DecisionRequest, _ expected: NaivePolicy.Verdict, _ comment: Comment
    ) throws {
        let line = try JSONSerialization.data(withJSONObject: request.question)
        let asked = try RuleQuestion(parsing: Array(line)[...]).request
        let verdict = file.verdict(on: asked)
        let found = NaivePolicy.Verdict(
            status: verdict.status, rule: verdict.rule?.pattern, reason: verdict.reason, fields: verdict.fields,
            expiresIn: verdict.expiresIn, ifNoneMatch: verdict.ifNoneMatch,
            isAdding: verdict.isAllowed ? verdict.addedHeaders.contains { $0.name == "cache-control" } : nil,
            addsList: verdict.isAllowed ? verdict.addedHeaders.contains { $0.name == "x-amz-acl" } : nil)
        try #require(found == expected, "\(found)\n\(comment)")
    }

    /// Rule tests that expect the decisions of the interpreter.
    private func compareRuleTests(_ requests: [DecisionRequest], _ verdicts: [NaivePolicy.Verdict]) throws {
        let cases = zip(requests, verdicts).map { request, verdict in
            var expected: [String: Any] = ["status": verdict.status, "fields": verdict.fields]
            expected["rule"] = verdict.rule ?? NSNull()
            expected["expiresIn"] = verdict.expiresIn
            expected["ifNoneMatch"] = verdict.ifNoneMatch
            return ["request": request.question, "expect": expected] as [String: Any]
        }
        let text = Array(try JSONSerialization.data(withJSONObject: cases))
        for test in try RuleTestFile(parsing: text, file: "t.json").cases {
            let differences = test.differences(from: file.verdict(on: test.request))
            try #require(differences.isEmpty, "\(test.title): \(differences)\n\(yaml)")
        }
    }

    /// One batch for each caller.
    private func compareBatches(_ requests: [DecisionRequest], _ verdicts: [NaivePolicy.Verdict]) throws {
        let groups = Dictionary(grouping: requests.indices) { requests[$0].caller.headers }
        for (headers, indices) in groups {
            let items = try indices.map { try requests[$0].json }
            let response = try service.exchange(batchRequest(items, key: nil, headers))
            try #require(response.status == 200, "\(response.text)")
            let results = try response.batch().results
            try #require(results.count == items.count)
            for (index, result) in zip(indices, results) {
                let answer = DecisionAnswer(result)
                try #require(
                    answer.agrees(with: verdicts[index], of: requests[index].naive),
                    "\(answer)\n\(items)\n\(verdicts[index])\n\(yaml)")
            }
        }
    }

    private func compare(
        link: String, _ request: DecisionRequest, _ expected: NaivePolicy.Verdict, _ comment: Comment
    ) throws {
        let response = try service.get(link, as: nil, request.caller.headers).response
        guard expected.status == 200 else {
            let answer = try DecisionAnswer(response)
            try #require(answer.agrees(with: expected, of: request.naive), "\(link): \(response.text)\n\(comment)")
            return
        }
        try #require(response.status == 307, "\(link): \(response.text)\n\(comment)")
        let expiry = expected.expiresIn.map { "X-Amz-Expires=\($0)&" } ?? ""
        try #require(response["location"]?.contains(expiry) == true, "\(link): \(comment)")
    }

    private func compare(
        upload: LinkUpload, _ request: DecisionRequest, _ expected: NaivePolicy.Verdict, _ comment: Comment
    ) throws {
        let lines = ["PUT \(upload.target) HTTP/1.1", "Host: presign.test"] + request.caller.headers
        let response = try service.exchange((lines + upload.headerLines).joined(separator: "\r\n") + "\r\n\r\n")
        let status = upload.status(for: expected)
        try #require(response.status == status, "\(upload): \(response.text)\n\(comment)")
        if status == 307 {
            let expiry = expected.expiresIn.map { "X-Amz-Expires=\($0)&" } ?? ""
            try #require(response["location"]?.contains(expiry) == true, "\(upload): \(comment)")
        } else if [400, 422].contains(expected.status) {
            let fields = try DecisionAnswer(response).fields
            try #require(fields == expected.fields, "\(upload): \(response.text)\n\(comment)")
        }
    }

    /// `GET /permissions` names exactly the actions on an object that are not refused whatever else the request says.
    private func comparePermissions(
        _ request: DecisionRequest, _ comment: Comment, _ seen: inout DecisionTally
    ) throws {
        let response = try service.get(request.permissions, as: nil, request.caller.headers).response
        let possible = naive.possibleActions(on: request.naive.path, in: request.naive.store, request.caller.who)
        guard response.status == 200, let possible else {
            try #require(response.status == 400 && possible == nil, "\(response.text)\n\(comment)")
            return
        }
        let named = Set(try JSONDecoder().decode(PermissionsBody.self, from: Data(response.body)).actions.keys)
        try #require(named == possible, "\(response.text)\n\(comment)")
        seen.granted += named.count
        seen.withheld += 4 - named.count
    }
}
