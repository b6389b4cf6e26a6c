import AccessRules
import DataFormats
import Foundation
import Presigning
import Requests
import Testing

@testable import AccessRulesTestSupport
@testable import PresignTools

/// Two policies, the second one with one change, in the second interpreter and in `diff-rules`.
struct ComparedPair {
    let naive: [NaivePolicy]
    let files: [PolicyFile]
    let comparison: PolicyComparison

    init(_ random: inout RandomPolicy) throws {
        let old = random.policy()
        try self.init([old, random.changed(old)])
    }

    init(_ naive: [NaivePolicy]) throws {
        self.naive = naive
        files = try naive.map { try Self.file($0) }
        comparison = try PolicyComparison(files[0], files[1], names: ["old.yaml", "new.yaml"]) { false }
    }

    static func file(_ naive: NaivePolicy) throws -> PolicyFile {
        let stores = """
            stores:
              media: {bucket: one, region: eu-west-1, default: true, listing: true}
              archive: {bucket: two, region: eu-west-1, listing: true}

            """
        return try PolicyFile(parsing: Array((stores + naive.yaml).utf8), file: "p.yaml")
    }

    var comment: Comment { Comment("\(naive[0].yaml)\n\(naive[1].yaml)\n\(text)") }

    var text: String { comparison.lines(atMost: .max, json: false).joined(separator: "\n") }

    /// What one file allows and the other refuses.
    func differences(lax: Int) -> [RuleDifference] { lax == 1 ? comparison.wider : comparison.narrower }

    /// What a file adds to a request: more permits less, in the order in which a rule compares its grants. First
    /// `if-none-match` counts, then the number of settings.
    private static func additions(_ verdict: NaivePolicy.Verdict) -> Int {
        (verdict.ifNoneMatch == true ? 10 : 0) + [verdict.isAdding, verdict.addsList].count { $0 == true }
    }

    /// Checks that a request that one policy alone allows has a finding for the same rules.
    ///
    /// - Returns: Whether one policy alone allows it.
    func check(_ request: NaivePolicy.Request) throws -> Bool {
        let verdicts = naive.map { $0.verdict(on: request) }
        var differs = false
        for lax in [0, 1] {
            let (allowed, other) = (verdicts[lax], verdicts[1 - lax])
            guard allowed.status == 200 else { continue }
            let isLess = Self.additions(other) > Self.additions(allowed)
            guard other.status != 200 || isLess else { continue }
            differs = true
            let found = differences(lax: lax).contains { difference in
                difference.request.action.name == request.action && !difference.request.isListing
                    && difference.rule(1 - lax) == other.rule && difference.rule(lax) == allowed.rule
            }
            try #require(found, "\(request)\n\(verdicts)\n\(comment)")
        }
        return differs
    }

    /// Checks that both files decide the smallest request of each finding as it says, also as a line of
    /// `explain --batch`, and that the second interpreter agrees where it knows all that is asked.
    func confirm() throws {
        for lax in [0, 1] {
            for difference in differences(lax: lax).map({ $0.smallest() }) {
                let line = difference.json(["old.yaml", "new.yaml"])
                let context = Comment("\(line)\n\(comment)")
                let question = try #require(try JSONValue(parsing: Array(line.utf8))["request"], context)
                let request = try RuleQuestion(question).request
                let verdicts = files.map { $0.verdict(on: request) }
                try #require(verdicts[lax].isAllowed, context)
                if difference.change == .refused { try #require(!verdicts[1 - lax].isAllowed, context) }
                guard let known = NaivePolicy.Request(request) else { continue }
                let answers = naive.map { $0.verdict(on: known) }
                try #require(answers[lax].status == 200, context)
                try #require(answers[1 - lax].status == verdicts[1 - lax].status, context)
                if difference.change == .refused { try #require(answers[1 - lax].status != 200, context) }
                if difference.change == .keepsObjects { try #require(answers[1 - lax].ifNoneMatch == true, context) }
            }
        }
    }
}

extension RuleDifference {
    /// The path of the rule or denial that decides in a file.
    func rule(_ file: Int) -> String? { files[file].verdict(on: request).rule?.pattern }
}

extension NaivePolicy.Request {
    /// The same request for the second interpreter; nil if it declares what that does not know.
    init?(_ request: PresignRequest) {
        let known: Set<UploadSetting.Name> = [.storageClass, .cacheControl, .acl]
        guard !request.isListing, request.settings.allSatisfy({ known.contains($0.name) }),
            request.caller.scheme != .mutualTLS
        else { return nil }
        func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
        func value(_ name: UploadSetting.Name) -> String? {
            request.settings.first { $0.name == name }.map { text($0.value) }
        }
        let caller = request.caller
        var who: NaivePolicy.Who?
        if !caller.isGuest {
            who = NaivePolicy.Who(
                identity: caller.identity.map(text), groups: caller.groups.map(text), key: caller.apiKeyID.map(text))
            for claim in caller.claims { who?.claims[text(claim.name)] = text(claim.value) }
            if let key = who?.key, who?.identity == nil, caller.groups.isEmpty { who?.identity = key }
        }
        self.init(
            who: who, action: request.action.name, path: text(request.path).split(separator: "/").map(String.init),
            store: request.store, type: request.contentType, length: request.contentLength,
            hasChecksum: request.checksum != nil, expiresIn: request.expiresIn, step: request.step?.rawValue,
            part: request.partNumber)
        for (override, value) in request.responseOverrides { overrides[override.rawValue] = text(value) }
        hasStorageClass = value(.storageClass) != nil
        (cache, acl) = (value(.cacheControl), value(.acl))
        hasVersion = request.versionId != nil
        // The interpreter knows one algorithm of checksums for parts.
        if request.checksumAlgorithm != nil { return nil }
    }
}
